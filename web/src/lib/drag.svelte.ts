// Something that is dragged from beside a board to a cell of it.

export class Drag {
  /** What is dragged; null if nothing is, or if the pointer has hardly moved. */
  what = $state<string | null>(null);
  x = $state(0);
  y = $state(0);
  /** The cell under the pointer. */
  over = $state<string | null>(null);
  #drop: (what: string, cell: string) => void;
  #taken: { what: string; x: number; y: number; pointer: number } | null = null;
  /** Whether the click that ends a drag is to be passed over. */
  #isClickDone = false;

  constructor(drop: (what: string, cell: string) => void) {
    this.#drop = drop;
  }

  /** For `onpointerdown` of what can be dragged. */
  take(event: PointerEvent, what: string): void {
    if (event.button !== 0) return;
    (event.currentTarget as Element).releasePointerCapture?.(event.pointerId);
    this.#taken = { what, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    this.#isClickDone = false;
  }

  /** For the window. */
  move(event: PointerEvent): void {
    const taken = this.#taken;
    if (!taken || taken.pointer !== event.pointerId) return;
    if (this.what === null && Math.hypot(event.clientX - taken.x, event.clientY - taken.y) < 8) return;
    this.what = taken.what;
    this.x = event.clientX;
    this.y = event.clientY;
    this.over = cellAt(event.clientX, event.clientY);
  }

  /** For the window. */
  end(event: PointerEvent): void {
    const { what } = this;
    if (!this.#taken || this.#taken.pointer !== event.pointerId) return;
    this.#taken = null;
    this.what = null;
    this.over = null;
    if (what === null) return;
    this.#isClickDone = true;
    const cell = event.type === 'pointerup' ? cellAt(event.clientX, event.clientY) : null;
    if (cell !== null) this.#drop(what, cell);
  }

  /** Whether a click is the end of a drag, which has been dealt with. */
  isEnd(): boolean {
    const isEnd = this.#isClickDone;
    this.#isClickDone = false;
    return isEnd;
  }
}

/** The cell at a place of the window. */
export function cellAt(x: number, y: number): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const cell = element.closest('[data-cell]')?.getAttribute('data-cell');
    if (cell) return cell;
  }
  return null;
}
