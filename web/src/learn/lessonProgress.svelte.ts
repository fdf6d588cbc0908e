// How far somebody has come in the lessons of each game, kept in this browser.
import { readJson, writeJson } from '../app/settings.svelte';
import type { LessonInfo } from '../api/wire';

const KEY = 'watermeet.lessons';
/** How a step was solved: with a hint or a mistake on the way, or at once, which earns a star. */
export type Mark = 1 | 2;
type Saved = Record<string, Record<string, Mark>>;

class LessonProgress {
  #saved = $state.raw<Saved>(readJson<Saved>(KEY, {}));

  /** How a step was solved; undefined if it wasn't. */
  mark(game: string, step: string): Mark | undefined {
    return this.#saved[game]?.[step];
  }

  /** Notes that a step was solved; a star stays a star. */
  solve(game: string, step: string, hasStar: boolean): void {
    const mark: Mark = hasStar || this.mark(game, step) === 2 ? 2 : 1;
    this.#saved = { ...this.#saved, [game]: { ...this.#saved[game], [step]: mark } };
    writeJson(KEY, this.#saved);
  }

  /** How many steps were solved, whichever the course has now. */
  count(game: string): number {
    return Object.keys(this.#saved[game] ?? {}).length;
  }

  /** The number of the first step that wasn't solved, from 1; null if all were. */
  next(game: string, lessons: LessonInfo[]): number | null {
    const steps = lessons.flatMap((lesson) => lesson.steps);
    const place = steps.findIndex(({ name }) => this.mark(game, name) === undefined);
    return place < 0 ? null : place + 1;
  }
}

export const lessonProgress = new LessonProgress();
