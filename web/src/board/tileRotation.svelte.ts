// A tile that is rotated before it is placed: it hovers over a cell; wheel, key or tap rotate it, and
// a click places it. By touch and keyboard it is previewed on a cell first.
import type { MoveBuilder } from './moveBuilder.svelte';

/** How a tile can be placed on a cell. */
export interface Placement {
  /** The part of the move that says how the tile is rotated. */
  part: string;
  action: number;
}

export class TileRotation {
  hovered = $state<string | null>(null);
  /** The cell where the tile is previewed. */
  previewed = $state<string | null>(null);
  turns = $state(0);
  #builder: () => MoveBuilder;
  #read: (move: string) => { cell: string; part: string } | null;
  #pick: (part: string) => void;

  /** The legal placements by cell. */
  readonly placements = $derived.by(() => {
    const found = new Map<string, Placement[]>();
    for (const { move, action } of this.#builder().legal) {
      const read = this.#read(move);
      if (read)
        found.set(read.cell, [...(found.get(read.cell) ?? []), { part: read.part, action }]);
    }
    return found;
  });
  /** The cell that shows the tile. */
  readonly target = $derived.by(() => {
    if (this.previewed !== null && this.placements.has(this.previewed)) return this.previewed;
    return this.hovered !== null && this.placements.has(this.hovered) ? this.hovered : null;
  });

  /** `read` finds the cell and the rotation in a move; `pick` selects a part. */
  constructor(
    builder: () => MoveBuilder,
    read: (move: string) => { cell: string; part: string } | null,
    pick: (part: string) => void,
  ) {
    this.#builder = builder;
    this.#read = read;
    this.#pick = pick;
  }

  /** The placement on a cell under the present rotation; null if there is none. */
  at(cell: string): Placement | null {
    return this.placements.get(cell)?.[this.indexAt(cell)] ?? null;
  }

  /** The index of that placement among those of the cell. */
  indexAt(cell: string): number {
    const count = this.placements.get(cell)?.length ?? 1;
    return ((this.turns % count) + count) % count;
  }

  rotate(by = 1): void {
    this.turns += by;
  }

  /** Places the tile. */
  place(cell: string): void {
    const placement = this.at(cell);
    if (!placement) return;
    this.previewed = null;
    this.#builder().clear();
    this.#builder().choose(cell);
    this.#pick(placement.part);
  }

  /** A click places the tile, which was seen hovering; touch and keys preview it first. */
  choose(cell: string, by: 'mouse' | 'touch' | 'keys'): void {
    if (!this.placements.has(cell)) return;
    if (by === 'mouse' || (by === 'keys' && this.previewed === cell)) this.place(cell);
    else if (this.previewed === cell) this.rotate();
    else this.previewed = cell;
  }

  /** Rotates by the wheel; returns whether there was a tile to rotate. */
  wheel(by: number): boolean {
    if (this.target === null) return false;
    this.rotate(by);
    return true;
  }
}
