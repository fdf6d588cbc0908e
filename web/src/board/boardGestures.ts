// Panning and zooming a board with fingers, mouse and wheel.
import type { Viewport } from './viewport.svelte';

interface Point {
  x: number;
  y: number;
}

/** A pointer that moves fewer pixels still clicks. */
const STILL = 8;

export class Gestures {
  #viewport: Viewport;
  #svg: () => SVGSVGElement | undefined;
  /** Whether one finger pans; two always do. */
  #canPan: (event: PointerEvent) => boolean;
  #fingers = new Map<number, Point>();
  #start: Point | null = null;
  #isPanning = false;

  constructor(
    viewport: Viewport,
    svg: () => SVGSVGElement | undefined,
    canPan: (event: PointerEvent) => boolean,
  ) {
    this.#viewport = viewport;
    this.#svg = svg;
    this.#canPan = canPan;
  }

  readonly down = (event: PointerEvent): void => {
    if (this.#fingers.size === 0) this.#isPanning = false;
    this.#start = { x: event.clientX, y: event.clientY };
    this.#fingers.set(event.pointerId, this.#start);
  };

  readonly move = (event: PointerEvent): void => {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (this.#fingers.size === 2 && other) this.#pinch(before, now, other);
    else {
      if (!this.#canPan(event)) return;
      if (!this.#isPanning && this.#start && distance(now, this.#start) < STILL) return;
      const scale = this.#scale();
      this.#viewport.pan((before.x - now.x) * scale, (before.y - now.y) * scale);
    }
    this.#isPanning = true;
    this.#fingers.set(event.pointerId, now);
  };

  readonly up = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
  };

  /** Whether a click only ends a pan. */
  isEnd(): boolean {
    const isEnd = this.#isPanning;
    this.#isPanning = false;
    return isEnd;
  }

  /** Zooms around a point of the window. */
  zoomAt(by: number, x: number, y: number): void {
    const matrix = this.#svg()?.getScreenCTM()?.inverse();
    const found = matrix && new DOMPoint(x, y).matrixTransform(matrix);
    this.#viewport.zoomBy(by, found && { x: found.x, y: found.y });
  }

  #pinch(before: Point, now: Point, other: Point): void {
    const by = distance(now, other) / Math.max(1, distance(before, other));
    this.zoomAt(by, (now.x + other.x) / 2, (now.y + other.y) / 2);
    const half = this.#scale() / 2;
    this.#viewport.pan((before.x - now.x) * half, (before.y - now.y) * half);
  }

  /** Board units per pixel. */
  #scale(): number {
    const { clientWidth = 1, clientHeight = 1 } = this.#svg() ?? {};
    const { width, height } = this.#viewport.frame;
    return Math.max(width / (clientWidth || 1), height / (clientHeight || 1));
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
