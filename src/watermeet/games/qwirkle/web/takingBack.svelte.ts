// Takes tiles back one by one, the newest first, until so many are left.
import { untrack } from 'svelte';

export class TakingBack {
  #wanted = $state.raw<{ left: number; then: (() => void) | null } | null>(null);
  /** How many tiles lay there when the last one was to be undone. */
  #asked = Infinity;

  /** Begins; `then` is done at the end. */
  begin(left: number, then: (() => void) | null): void {
    this.#asked = Infinity;
    this.#wanted = { left, then };
  }

  /** Undoes the next tile, now that so many lie there. What is refused ends it: nothing is undone later. */
  follow(laid: number, undo: (() => Promise<boolean> | void) | null): void {
    const wanted = this.#wanted;
    if (!wanted || laid === this.#asked) return;
    if (undo && laid > wanted.left && laid < this.#asked) {
      this.#asked = laid;
      const undone: unknown = untrack(undo);
      if (!(undone instanceof Promise)) return;
      void undone.then((isDone) => {
        if (!isDone && this.#wanted === wanted) this.#wanted = null;
      });
      return;
    }
    this.#wanted = null;
    if (laid === wanted.left) untrack(() => wanted.then?.());
  }
}
