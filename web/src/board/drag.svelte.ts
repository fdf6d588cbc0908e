// Dragging a piece onto a cell, or onto a place beside the board that is marked by `data-drop`.

export class Drag {
  /** What is dragged; null until the pointer has moved far enough. */
  what = $state<string | null>(null);
  x = $state(0);
  y = $state(0);
  /** The cell under the pointer. */
  over = $state<string | null>(null);
  #drop: (what: string, cell: string) => void;
  #started: { what: string; x: number; y: number; pointer: number } | null = null;
  /** Whether to ignore the click that ends a drag. */
  #isClickDone = false;

  constructor(drop: (what: string, cell: string) => void) {
    this.#drop = drop;
  }

  /** The `onpointerdown` handler of a piece. */
  start(event: PointerEvent, what: string): void {
    if (event.button !== 0) return;
    (event.currentTarget as Element).releasePointerCapture?.(event.pointerId);
    getSelection()?.removeAllRanges(); // Else the browser would drag what an earlier drag selected.
    this.#started = { what, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    this.#isClickDone = false;
  }

  /** The window's `onpointermove` handler. */
  move(event: PointerEvent): void {
    const started = this.#started;
    if (!started || started.pointer !== event.pointerId) return;
    if (this.what === null && Math.hypot(event.clientX - started.x, event.clientY - started.y) < 8)
      return;
    this.what = started.what;
    this.x = event.clientX;
    this.y = event.clientY;
    this.over = cellAt(event.clientX, event.clientY);
  }

  /** The window's `onpointerup` and `onpointercancel` handler. */
  end(event: PointerEvent): void {
    const { what } = this;
    if (!this.#started || this.#started.pointer !== event.pointerId) return;
    this.#started = null;
    this.what = null;
    this.over = null;
    if (what === null) return;
    this.#isClickDone = true;
    const cell = event.type === 'pointerup' ? cellAt(event.clientX, event.clientY) : null;
    if (cell !== null) this.#drop(what, cell);
  }

  /** Whether a click only ends a drag. */
  isEnd(): boolean {
    const isEnd = this.#isClickDone;
    this.#isClickDone = false;
    return isEnd;
  }
}

/** The cell at a point of the window, or the name of a place beside the board. */
export function cellAt(x: number, y: number): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const found = element.closest('[data-cell], [data-drop]');
    const name = found?.getAttribute('data-cell') ?? found?.getAttribute('data-drop');
    if (name) return name;
  }
  return null;
}
