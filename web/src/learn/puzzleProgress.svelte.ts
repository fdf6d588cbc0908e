// How somebody does in the puzzles of each game, kept in this browser. Whoever has a token is rated by
// the server, which then has the last word.
import { readJson, writeJson } from '../app/settings.svelte';
import type { PuzzleHistory, PuzzleOverview, PuzzleResult } from '../api/wire';

const KEY = 'watermeet.puzzles';
/** How many results are remembered for each game. */
const REMEMBERED = 400;
/** How many puzzles the server is asked not to choose again. */
const SKIPPED = 60;

interface Progress {
  rating: number;
  deviation: number;
  /** First tries, the last one last. */
  history: PuzzleHistory[];
  /** The last day whose puzzle was ended here, and whether its solution had to be shown. */
  day?: string;
  isDayShown?: boolean;
}
const NEW: Progress = { rating: 1500, deviation: 150, history: [] };

class PuzzleProgress {
  #saved = $state.raw<Record<string, Progress>>(readJson(KEY, {}));

  of(game: string): Progress {
    return this.#saved[game] ?? NEW;
  }

  /** How a puzzle was done at the first try; undefined if it wasn't tried. */
  result(game: string, puzzle: string): boolean | undefined {
    return this.of(game).history.find((one) => one.puzzle === puzzle)?.is_solved;
  }

  /** How many puzzles in a row were solved at the first try. */
  streak(game: string): number {
    const { history } = this.of(game);
    return history.length - 1 - history.findLastIndex((one) => !one.is_solved);
  }

  /** How today's puzzle was ended, if it was; days begin at midnight, UTC. */
  daily(game: string): 'solved' | 'shown' | null {
    const { day, isDayShown } = this.of(game);
    if (day !== new Date().toISOString().slice(0, 10)) return null;
    return isDayShown ? 'shown' : 'solved';
  }

  /** Once a solution was shown, finding it is no more than repeating it. */
  endDaily(game: string, day: string, isShown: boolean): void {
    const before = this.of(game);
    const isDayShown = isShown || (before.day === day && Boolean(before.isDayShown));
    this.#save(game, { ...before, day, isDayShown });
  }

  /** The puzzles that were seen last, for the server. */
  seen(game: string): string {
    const { history } = this.of(game);
    return history
      .slice(-SKIPPED)
      .map(({ puzzle }) => puzzle)
      .join(' ');
  }

  add(game: string, puzzle: string, result: PuzzleResult): void {
    const { rating, deviation, is_solved } = result;
    const entry = { puzzle, is_solved, rating, at: Date.now() };
    const before = this.of(game);
    this.#save(game, { ...before, rating, deviation, history: [...before.history, entry] });
  }

  /** Takes what the server knows, unless that is nothing. */
  adopt(game: string, { rating, deviation, tried, history }: PuzzleOverview): void {
    if (tried) this.#save(game, { ...this.of(game), rating, deviation, history });
  }

  #save(game: string, progress: Progress): void {
    const history = progress.history.slice(-REMEMBERED);
    this.#saved = { ...this.#saved, [game]: { ...progress, history } };
    writeJson(KEY, this.#saved);
  }
}

export const puzzleProgress = new PuzzleProgress();
