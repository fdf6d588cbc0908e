// How a match stands, in words: one line to read first, and a sentence about why.
import { t } from './language.svelte';
import type { MatchState } from './match.svelte';
import { reasonBook } from './reasons.svelte';
import type { OutcomeTold } from './wire';
import { en, type Key } from '../texts/en';

/** Why it is over: the game's reason, or that of the platform. */
export function outcomeWords(game: string, outcome: OutcomeTold): string {
  const key = `outcome.${outcome.reason}`;
  if (key in en) return t(key as Key);
  return reasonBook.words(game, outcome.reason, outcome.facts, outcome.sentence);
}

/** Who has won: as the seat says it, or, for watchers and on one screen, as others say it. */
export function resultWords(outcome: OutcomeTold, seat: number | null, names: string[]): string {
  const { winners, returns } = outcome;
  // Without a winner all are level, or all have lost together.
  const isDraw = !winners.length && new Set(returns).size === 1 && (returns[0] ?? 0) >= 0;
  if (isDraw) return t('match.draw');
  if (seat !== null) return t(winners.includes(seat) ? 'match.won' : 'match.lost');
  if (!winners.length) return t('match.allLost');
  const told = winners.map((winner) => names[winner] ?? '');
  return winners.length > 1 ? t('match.winners', { names: told.join(', ') }) : t('match.winner', { name: told[0] ?? '' });
}

/** The line to read first. */
export function headlineOf(match: MatchState, names: string[], isShared: boolean, ply: number | null, isPreparing = false): string {
  if (!match.document) return '';
  if (ply !== null) return t('replay.at', { ply, plies: match.moves.length });
  const { stage, toMove, seat, document } = match;
  if (stage === 'open') return t('stage.open');
  if (match.isOver) return document.outcome ? resultWords(document.outcome, isShared ? null : seat, names) : t('stage.gone');
  if (stage === 'paused') return t('stage.paused');
  if (toMove === null) return t('match.chance');
  if (match.isMyTurn && !isShared) return t('match.yourTurn');
  if (isPreparing) return t('match.preparing', { name: names[toMove] ?? '' });
  return t(match.seats[toMove]?.who === 'bot' ? 'match.thinking' : 'match.turnOf', { name: names[toMove] ?? '' });
}

/** Names that tell seats apart, also if two guests sit there. */
export function tellApart(names: string[], labels: string[]): string[] {
  return names.map((name, seat) =>
    names.filter((other) => other === name).length > 1 ? `${name} (${labels[seat] ?? seat + 1})` : name);
}
