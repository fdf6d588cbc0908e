// The page's one engine, for hints and for bots. Its script is loaded when it is first needed.
import { getReadiness } from '../api/endpoints/games';
import type { Engine } from './engine';

let engine: Engine | null = null;

/** The engine; null if this browser can't run one. */
export async function sharedEngine(): Promise<Engine | null> {
  const { Engine } = await import('./engine');
  return Engine.isSupported ? (engine ??= new Engine()) : null;
}

const withEngine = new Set<string>();

/** Whether the server has an engine of a game for browsers. There may be one later. */
export async function hasEngine(game: string): Promise<boolean> {
  if (!withEngine.has(game) && (await getReadiness(game)).engine) withEngine.add(game);
  return withEngine.has(game);
}
