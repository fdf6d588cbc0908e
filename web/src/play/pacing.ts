// Shows updates one by one, so that a chain of a bot's actions can be followed: each stays for a
// while before the next. The queue never delays what people do.

/** More updates than these are shown at once. */
export const MAX_WAITING = 6;

interface Waiting<T> {
  update: T;
  isPaced: boolean;
}

export class Pacer<T> {
  #show: (update: T) => void;
  #pace: () => number;
  #waiting: Waiting<T>[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** When the last action was shown. */
  #shownAt = -Infinity;

  /** `pace` is how long an action stays, in milliseconds; 0 turns pacing off. */
  constructor(show: (update: T) => void, pace: () => number) {
    this.#show = show;
    this.#pace = pace;
  }

  /** The updates that are not shown yet, the oldest first. */
  get waiting(): T[] {
    return this.#waiting.map(({ update }) => update);
  }

  /** Shows an update, after those that wait. A paced one waits until the last has been seen. */
  push(update: T, isPaced: boolean): void {
    this.#waiting.push({ update, isPaced });
    if (this.#waiting.length > MAX_WAITING || this.#pace() <= 0) this.drain();
    else this.#advance();
  }

  /** Shows everything now. */
  drain(): void {
    while (this.#waiting.length) this.#showNext();
    this.#stop();
  }

  /** Drops everything that waits: a newer state replaces it. */
  clear(): void {
    this.#waiting = [];
    this.#stop();
  }

  #advance(): void {
    this.#stop();
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const wait = next.isPaced ? this.#shownAt + this.#pace() - performance.now() : 0;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#advance(), wait);
        return;
      }
      this.#showNext();
    }
  }

  #showNext(): void {
    const next = this.#waiting.shift();
    if (!next) return;
    this.#shownAt = performance.now();
    this.#show(next.update);
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
