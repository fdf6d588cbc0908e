// What view.py sends as `board`, and how the page draws it: hexagons with a corner at the top, each
// row half a cell further right than the one above.
import type { View } from '@watermeet/api/wire';

export interface BoardView {
  size: number;
  /** From the top, one letter for each cell; `.` is empty. */
  rows: string[];
  /** The cells of the winning chain, from side to side; empty before the end. */
  chain: string[];
  may_swap: boolean;
  swapped: boolean;
}

export interface Point {
  x: number;
  y: number;
}

export interface Cell extends Point {
  name: string;
  /** From the top. */
  row: number;
  letter: string;
}

/** The move that takes over the first stone. */
export const SWAP = 'swap';
/** An empty cell, then the stones of each seat, as in notation.py. */
export const LETTERS = '.rb';
/** The colour of each seat. */
export const FILLS = ['#c5321f', '#2358b3'];
/** From the centre of a cell to a corner. */
export const RADIUS = 20;
/** From the centre of a cell to the next one in its row. */
export const STEP = RADIUS * Math.sqrt(3);

export function boardOf(view: View): BoardView {
  return view.board as BoardView;
}

export function centreOf(column: number, row: number): Point {
  return { x: STEP * (column + row / 2), y: 1.5 * RADIUS * row };
}

/** The corners of a cell, clockwise from the top. */
export function cornersOf({ x, y }: Point): Point[] {
  return [0, 1, 2, 3, 4, 5].map((sixth) => ({
    x: x + RADIUS * Math.sin((sixth * Math.PI) / 3),
    y: y - RADIUS * Math.cos((sixth * Math.PI) / 3),
  }));
}

/** The points of an SVG polygon or polyline. */
export function pointList(points: Point[]): string {
  return points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
}

export function cellsOf({ size, rows }: Pick<BoardView, 'size' | 'rows'>): Cell[] {
  return rows.flatMap((letters, row) =>
    [...letters.slice(0, size)].map((letter, column) => {
      const name = `${String.fromCharCode(97 + column)}${row + 1}`;
      return { name, row, letter, ...centreOf(column, row) };
    }),
  );
}

/** The four sides as lines along the corners of cells, each with the seat that owns it. */
export function sidesOf(size: number): { seat: number; points: string }[] {
  const end = size - 1;
  const steps = Array.from({ length: size }, (_, step) => step);
  const side = (seat: number, centres: Point[], corners: number[]) => ({
    seat,
    points: pointList(
      centres.flatMap((centre) => {
        const all = cornersOf(centre);
        return corners.map((corner) => all[corner] ?? centre);
      }),
    ),
  });
  return [
    side(
      0,
      steps.map((step) => centreOf(step, 0)),
      [5, 0, 1],
    ),
    side(
      0,
      steps.map((step) => centreOf(step, end)),
      [4, 3, 2],
    ),
    side(
      1,
      steps.map((step) => centreOf(0, step)),
      [5, 4],
    ),
    side(
      1,
      steps.map((step) => centreOf(end, step)),
      [1, 2],
    ),
  ];
}
