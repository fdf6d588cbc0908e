// Options of a game as words in an address: `size=5 pie=false`.
import type { Game } from '../api/wire';

/** The options that aren't the defaults; empty if all are. */
export function changedOptions(game: Game | undefined, values: Record<string, unknown>): string {
  return (game?.facts.options ?? [])
    .filter(({ name, default: usual }) => values[name] !== undefined && values[name] !== usual)
    .map(({ name }) => `${name}=${String(values[name])}`)
    .join(' ');
}

/** The address of a position on the analysis board. */
export function analysisAddress(words: Record<string, string>): string {
  const used = Object.entries(words).filter(([, value]) => value);
  return `/analysis?${new URLSearchParams(used)}`;
}
