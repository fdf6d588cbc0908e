// What view.py sends as `board`, and how the page draws it.
import type { View } from '@watermeet/board/match.svelte';

export interface BoardView {
  size: number;
  /** From the top, one letter for each cell; `.` is empty. */
  rows: string[];
}

export interface Cell {
  name: string;
  column: number;
  /** From the top. */
  row: number;
  letter: string;
}

/** An empty cell, then the stones of each seat, as in notation.py. */
export const LETTERS = '.rbgypo';
/** The colour of each seat. */
export const FILLS = ['#c5321f', '#2358b3', '#2f8043', '#8a6100', '#7b3fa0', '#a8480c'];

export function boardOf(view: View): BoardView {
  return view.board as unknown as BoardView;
}

export function cellsOf({ size, rows }: BoardView): Cell[] {
  return rows.flatMap((letters, row) =>
    [...letters].map((letter, column) => {
      const name = `${String.fromCharCode(97 + column)}${size - row}`;
      return { name, column, row, letter };
    }),
  );
}
