// A tile that is laid with a turn: it hovers over a cell, wheel, key or tap turn it, a click lays it.
// By touch and keys it is tried on a cell first. Boards of two games use it; it knows no rules.
import type { MoveBuilder } from './builder.svelte';

export interface Way {
  /** The part of the move that says how the tile lies. */
  part: string;
  action: number;
}

export class Turning {
  hovered = $state<string | null>(null);
  /** The cell on which the tile lies for a try. */
  tried = $state<string | null>(null);
  turn = $state(0);
  #builder: () => MoveBuilder;
  #read: (move: string) => { cell: string; part: string } | null;
  #pick: (part: string) => void;

  /** By cell how the tile can lie there. */
  readonly ways = $derived.by(() => {
    const found = new Map<string, Way[]>();
    for (const { move, action } of this.#builder().legal) {
      const read = this.#read(move);
      if (read) found.set(read.cell, [...(found.get(read.cell) ?? []), { part: read.part, action }]);
    }
    return found;
  });
  /** The cell that shows the tile. */
  readonly target = $derived.by(() => {
    if (this.tried !== null && this.ways.has(this.tried)) return this.tried;
    return this.hovered !== null && this.ways.has(this.hovered) ? this.hovered : null;
  });

  constructor(builder: () => MoveBuilder, read: (move: string) => { cell: string; part: string } | null, pick: (part: string) => void) {
    this.#builder = builder;
    this.#read = read;
    this.#pick = pick;
  }

  /** How the tile would lie on a cell; null if it cannot. */
  at(cell: string): Way | null {
    const list = this.ways.get(cell);
    return list?.[this.place(cell)] ?? null;
  }

  /** Which of the ways on a cell that is, from 0. */
  place(cell: string): number {
    const count = this.ways.get(cell)?.length ?? 1;
    return ((this.turn % count) + count) % count;
  }

  rotate(by = 1): void {
    this.turn += by;
  }

  lay(cell: string): void {
    const way = this.at(cell);
    if (!way) return;
    this.tried = null;
    this.#builder().clear();
    this.#builder().choose(cell);
    this.#pick(way.part);
  }

  /** A click lays, as the tile was seen hovering; by touch and keys it is tried first. */
  choose(cell: string, by: 'mouse' | 'touch' | 'keys'): void {
    if (!this.ways.has(cell)) return;
    if (by === 'mouse' || (by === 'keys' && this.tried === cell)) this.lay(cell);
    else if (this.tried === cell) this.rotate();
    else this.tried = cell;
  }

  /** A turn of the wheel; whether a tile was there to be turned. */
  wheel(by: number): boolean {
    if (this.target === null) return false;
    this.rotate(by);
    return true;
  }
}
