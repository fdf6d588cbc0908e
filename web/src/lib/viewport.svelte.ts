// The visible part of a board: all of it, or zoomed in by wheel, pinch, buttons and keys.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const MAX_ZOOM = 5;

export class Viewport {
  zoom = $state(1);
  /** How far the centre was moved, in board units. */
  shift = $state.raw({ x: 0, y: 0 });
  #box: () => Box;
  #isEndless: boolean;

  /** The visible part, as an SVG viewBox. */
  readonly frame = $derived.by((): Box => {
    const box = this.#box();
    const width = box.width / this.zoom;
    const height = box.height / this.zoom;
    const middle = {
      x: box.x + box.width / 2 + this.shift.x,
      y: box.y + box.height / 2 + this.shift.y,
    };
    return { x: middle.x - width / 2, y: middle.y - height / 2, width, height };
  });
  readonly isZoomed = $derived(this.zoom > 1.001);

  /** `box` is the whole board. An endless board can be zoomed out further. */
  constructor(box: () => Box, isEndless = false) {
    this.#box = box;
    this.#isEndless = isEndless;
  }

  /** Zooms by a factor, keeping a point of the board in place. */
  zoomBy(by: number, at?: { x: number; y: number }): void {
    const before = this.frame;
    const least = this.#isEndless ? 0.5 : 1;
    const zoom = Math.max(least, Math.min(MAX_ZOOM, this.zoom * by));
    const place = at ?? { x: before.x + before.width / 2, y: before.y + before.height / 2 };
    const middle = { x: before.x + before.width / 2, y: before.y + before.height / 2 };
    const rest = 1 - this.zoom / zoom;
    this.zoom = zoom;
    this.#move(
      this.shift.x + (place.x - middle.x) * rest,
      this.shift.y + (place.y - middle.y) * rest,
    );
  }

  /** Moves the visible part, in board units. */
  pan(x: number, y: number): void {
    this.#move(this.shift.x + x, this.shift.y + y);
  }

  /** Pans until a point is visible. */
  show(place: { x: number; y: number }, margin: number): void {
    const { x, y, width, height } = this.frame;
    const over = (at: number, from: number, size: number): number => {
      const inset = Math.min(margin, size / 2);
      return Math.min(0, at - inset - from) + Math.max(0, at + inset - from - size);
    };
    this.pan(over(place.x, x, width), over(place.y, y, height));
  }

  /** Shows the whole board. */
  fit(): void {
    this.zoom = 1;
    this.shift = { x: 0, y: 0 };
  }

  /** The centre stays on the board. */
  #move(x: number, y: number): void {
    const box = this.#box();
    const limit = (size: number): number =>
      (this.zoom > 1 ? (size - size / this.zoom) / 2 : 0) + (this.#isEndless ? size / 4 : 0);
    const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));
    this.shift = { x: within(x, limit(box.width)), y: within(y, limit(box.height)) };
  }
}
