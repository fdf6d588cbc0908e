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
  /** Whether somebody has zoomed or panned since the board was fitted. */
  isByHand = false;
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
    this.isByHand = true;
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
    this.isByHand = true;
    this.#move(this.shift.x + x, this.shift.y + y);
  }

  /** Pans until a point is visible. */
  show(place: { x: number; y: number }, margin: number): void {
    const { x, y, width, height } = this.frame;
    const over = (at: number, from: number, size: number): number => {
      const inset = Math.min(margin, size / 2);
      return Math.min(0, at - inset - from) + Math.max(0, at + inset - from - size);
    };
    this.#move(this.shift.x + over(place.x, x, width), this.shift.y + over(place.y, y, height));
  }

  /**
   * Zooms so that this much of the board is seen, around a place as far as the edges allow. Shows all
   * of it if that is less.
   */
  aim(place: { x: number; y: number }, seen: { width: number; height: number }): void {
    const box = this.#box();
    const whole = Math.max(box.width / seen.width, box.height / seen.height);
    this.zoom = Math.max(1, Math.min(MAX_ZOOM, whole));
    const off = (at: number, from: number, size: number, part: number): number => {
      const most = Math.max(0, size - part) / 2;
      return Math.max(-most, Math.min(most, at - from - size / 2));
    };
    this.shift = this.isZoomed
      ? {
          x: off(place.x, box.x, box.width, seen.width),
          y: off(place.y, box.y, box.height, seen.height),
        }
      : { x: 0, y: 0 };
  }

  /** Shows the same part as before, although the board has grown. */
  keep(frame: Box): void {
    const box = this.#box();
    this.zoom = Math.max(this.#isEndless ? 0.5 : 1, Math.min(MAX_ZOOM, box.width / frame.width));
    this.#move(
      frame.x + frame.width / 2 - box.x - box.width / 2,
      frame.y + frame.height / 2 - box.y - box.height / 2,
    );
  }

  /** Shows the whole board. */
  fit(): void {
    this.isByHand = false;
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
