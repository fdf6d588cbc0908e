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
  /** How the puzzles of past days were ended here. */
  days?: Record<string, DailyEnd>;
}
type DailyEnd = 'solved' | 'shown';
const DAY_MS = 86_400_000;
/** The day of a time; days begin at midnight, UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const NEW: Progress = { rating: 1500, deviation: 100, history: [] };

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

  /** How today's puzzle was ended, if it was. */
  daily(game: string): DailyEnd | null {
    return this.of(game).days?.[dayOf(Date.now())] ?? null;
  }

  /** The days on which the puzzle of some game was solved. */
  readonly solvedDays = $derived.by(
    () =>
      new Set(
        Object.values(this.#saved).flatMap(({ days = {} }) =>
          Object.keys(days).filter((day) => days[day] === 'solved'),
        ),
      ),
  );

  /** How many days in a row a puzzle was solved until now; today's may still be to come. */
  dayStreak(now = Date.now()): number {
    const from = this.solvedDays.has(dayOf(now)) ? now : now - DAY_MS;
    let count = 0;
    while (this.solvedDays.has(dayOf(from - count * DAY_MS))) count++;
    return count;
  }

  /** The weeks up to this one, from Monday to Sunday. */
  weeks(count: number, now = Date.now()): string[][] {
    const sunday = now + ((7 - new Date(now).getUTCDay()) % 7) * DAY_MS;
    const days = Array.from({ length: 7 * count }, (_, back) => dayOf(sunday - back * DAY_MS));
    days.reverse();
    return Array.from({ length: count }, (_, week) => days.slice(7 * week, 7 * week + 7));
  }

  /** Once a solution was shown, finding it is no more than repeating it. */
  endDaily(game: string, day: string, isShown: boolean): void {
    const before = this.of(game);
    const end = isShown || before.days?.[day] === 'shown' ? 'shown' : 'solved';
    const days = Object.entries({ ...before.days, [day]: end }).slice(-REMEMBERED);
    this.#save(game, { ...before, days: Object.fromEntries(days) as Record<string, DailyEnd> });
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
