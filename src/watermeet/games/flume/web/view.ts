// What Flume's view.py sends, as the board reads it.
import type { View } from '@watermeet/lib/match.svelte';

export interface FlumeBoard {
  size: number;
  /** From the top, each from the left: `r`, `b` or `.`. */
  rows: string[];
  /** By point number, from a1; null where a stone lies. */
  connections: (number | null)[];
  may_swap: boolean;
  decided: number | null;
}

export interface Point {
  name: string;
  column: number;
  /** From the top. */
  row: number;
  stone: string;
  connections: number | null;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export function boardOf(view: View): FlumeBoard {
  return view.board as unknown as FlumeBoard;
}

/** The points, row by row from the top. */
export function pointsOf(board: FlumeBoard): Point[] {
  const { size, rows, connections } = board;
  return rows.flatMap((line, row) =>
    [...line].map((stone, column) => {
      const height = size - 1 - row;
      return { name: `${LETTERS[column]}${height + 1}`, column, row, stone, connections: connections[height * size + column] ?? null };
    }),
  );
}
