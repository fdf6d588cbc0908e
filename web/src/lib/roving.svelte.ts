// The cursor of a board: one cell can be reached by Tab, arrow keys lead on from there.
import type { Spot } from './cursor';

export class Roving {
  /** The cell that has the focus, or had it last. */
  at = $state('');
  #spots: () => Spot[];

  /** The cell that Tab reaches. */
  readonly current = $derived.by(() => {
    const spots = this.#spots();
    return spots.some((spot) => spot.key === this.at) ? this.at : (spots[0]?.key ?? '');
  });

  /** `spots`: all cells that can be reached, in the units of the drawing. */
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
