// What part of a board is seen: all of it, or nearer by wheel, pinch, buttons and keys.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const NEAREST = 5;

export class Lens {
  zoom = $state(1);
  /** How far the middle was moved, in the board's units. */
  shift = $state.raw({ x: 0, y: 0 });
  #box: () => Box;
  #isEndless: boolean;

  /** The part that is seen. */
  readonly frame = $derived.by((): Box => {
    const box = this.#box();
    const width = box.width / this.zoom;
    const height = box.height / this.zoom;
    const middle = { x: box.x + box.width / 2 + this.shift.x, y: box.y + box.height / 2 + this.shift.y };
    return { x: middle.x - width / 2, y: middle.y - height / 2, width, height };
  });
  readonly isNear = $derived(this.zoom > 1.001);

  /** `box`: all that there is to see. Over an endless board one may look from farther away. */
  constructor(box: () => Box, isEndless = false) {
    this.#box = box;
    this.#isEndless = isEndless;
  }

  /** Nearer (more than 1) or farther, such that a place of the board stays where it is seen. */
  zoomBy(by: number, at?: { x: number; y: number }): void {
    const before = this.frame;
    const least = this.#isEndless ? 0.5 : 1;
    const zoom = Math.max(least, Math.min(NEAREST, this.zoom * by));
    const place = at ?? { x: before.x + before.width / 2, y: before.y + before.height / 2 };
    const middle = { x: before.x + before.width / 2, y: before.y + before.height / 2 };
    const rest = 1 - this.zoom / zoom;
    this.zoom = zoom;
    this.#move(this.shift.x + (place.x - middle.x) * rest, this.shift.y + (place.y - middle.y) * rest);
  }

  /** Moves what is seen, in the board's units. */
  pan(x: number, y: number): void {
    this.#move(this.shift.x + x, this.shift.y + y);
  }

  /** Shows a place that may be out of sight. */
  show(place: { x: number; y: number }, margin: number): void {
    const { x, y, width, height } = this.frame;
    const over = (at: number, from: number, size: number): number => {
      const room = Math.min(margin, size / 2);
      return Math.min(0, at - room - from) + Math.max(0, at + room - from - size);
    };
    this.pan(over(place.x, x, width), over(place.y, y, height));
  }

  /** Shows all. */
  fit(): void {
    this.zoom = 1;
    this.shift = { x: 0, y: 0 };
  }

  /** The middle stays on the board, so that nobody gets lost. */
  #move(x: number, y: number): void {
    const box = this.#box();
    const room = (size: number): number => (this.zoom > 1 ? (size - size / this.zoom) / 2 : 0) + (this.#isEndless ? size / 4 : 0);
    const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));
    this.shift = { x: within(x, room(box.width)), y: within(y, room(box.height)) };
  }
}
