// Games without chance and secrets that a page can play without a server: their engine has the rules,
// and `web/local.ts` says what the board sees of a state.
import { gameFile } from '../app/gameFiles';
import type { EngineTask, LegalMove, View } from '../api/wire';

export type Options = View['options'];

/** A state's array as numbers. */
export type StateNumbers = readonly number[];

/** What `web/local.ts` of a game exports as `local`. */
export interface LocalGame {
  /** The text of an action. */
  formatMove: (action: number, options: Options) => string;
  /** What `view.py` makes of a state, without a sentence; it knows no rules either. */
  view: (
    state: StateNumbers,
    options: Options,
    legal: LegalMove[],
  ) => Pick<View, 'board' | 'seats'>;
}

/** A game with some options, as it begins; and how the levels of the bots search it. */
export interface LocalBoard {
  options: Options;
  /** What people call a board of this size; empty if there is only one. */
  label: string;
  /** The state's array, in base64. */
  start: string;
  levels: Record<string, EngineTask>;
}

/** What `scripts/docs_live.py` writes about a game. */
export interface LocalFacts {
  game: string;
  version: number;
  /** The address of the engine, beside that of these facts. */
  engine: string;
  boards: LocalBoard[];
}

const LOCAL = import.meta.glob<{ local: LocalGame }>([
  '../../../src/watermeet/games/*/web/local.ts',
  '../../installed/*/web/local.ts',
]);

/** Loads what is needed to play a game here; null if that isn't possible. */
export async function loadLocalGame(game: string): Promise<LocalGame | null> {
  const load = gameFile(LOCAL, game, 'local.ts');
  return load ? (await load()).local : null;
}
