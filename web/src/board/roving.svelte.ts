// The roving tabindex of a board: Tab reaches one cell, arrow keys move on from there.
import type { Spot } from './cursor';

export class Roving {
  /** The cell that has, or last had, the focus. */
  at = $state('');
  #spots: () => Spot[];

  /** The cell that Tab reaches. */
  readonly current = $derived.by(() => {
    const spots = this.#spots();
    return spots.some((spot) => spot.key === this.at) ? this.at : (spots[0]?.key ?? '');
  });

  /** `spots` are all reachable cells, in board units. */
  constructor(spots: () => Spot[]) {
    this.#spots = spots;
  }

  get spots(): Spot[] {
    return this.#spots();
  }

  /** The tab index of a cell. */
  tab(key: string): 0 | -1 {
    return key === this.current ? 0 : -1;
  }
}
