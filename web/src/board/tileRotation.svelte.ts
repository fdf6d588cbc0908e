// A tile that is rotated before it is placed: it hovers over a cell, and waits on the cell that was
// chosen, where wheel, keys and buttons rotate it until it is placed.
import { mustPreview } from './confirmation';
import type { MoveBuilder } from './moveBuilder.svelte';

/** How a tile can be placed on a cell. */
export interface Placement {
  /** The part of the move that says how the tile is rotated. */
  part: string;
  action: number;
}

export class TileRotation {
  hovered = $state<string | null>(null);
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
  /** The cell where the tile waits. */
  readonly previewed = $derived.by(() => {
    const waiting = this.#builder().complete;
    return waiting ? (this.#read(waiting.move)?.cell ?? null) : null;
  });
  /** The cell that shows the tile. */
  readonly target = $derived(
    this.previewed ??
      (this.hovered !== null && this.placements.has(this.hovered) ? this.hovered : null),
  );

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
    const cell = this.previewed;
    this.turns += by;
    if (cell !== null) this.#show(cell);
  }

  /** Shows the tile on a cell, and places it if it waits there already, or needn't wait. */
  choose(cell: string): void {
    const placement = this.at(cell);
    if (!placement) return;
    const isSecond = this.previewed === cell;
    this.#show(cell);
    if (isSecond || !mustPreview()) this.#pick(placement.part);
  }

  /** Rotates by the wheel; returns whether there was a tile to rotate. */
  wheel(by: number): boolean {
    if (this.target === null) return false;
    this.rotate(by);
    return true;
  }

  #show(cell: string): void {
    const placement = this.at(cell);
    if (placement) this.#builder().take(placement.action);
  }
}
