// Keys on a board: one cell can be reached by Tab, arrow keys lead on from there.
import { step, type Spot } from './cursor';

export class Roving {
  /** The cell that has the focus, or had it last. */
  at = $state('');
  #spots: () => Spot[];

  constructor(spots: () => Spot[]) {
    this.#spots = spots;
  }

  /** The tab index of a cell. */
  tab(key: string): 0 | -1 {
    const spots = this.#spots();
    const current = spots.some((spot) => spot.key === this.at) ? this.at : spots[0]?.key;
    return key === current ? 0 : -1;
  }

  /** For every cell; they have `data-cell` and lie in one `svg`. Calls `pick` for Enter and space. */
  keydown(event: KeyboardEvent & { currentTarget: Element }, pick: (key: string) => void): void {
    const cell = (event.target as Element).closest('[data-cell]')?.getAttribute('data-cell');
    if (cell === null || cell === undefined) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      pick(cell);
      return;
    }
    const to = step(this.#spots(), cell, event.key);
    if (event.key.startsWith('Arrow')) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (to === null) return;
    this.at = to;
    event.currentTarget.closest('svg')?.querySelector<SVGElement>(`[data-cell="${CSS.escape(to)}"]`)?.focus();
  }
}
