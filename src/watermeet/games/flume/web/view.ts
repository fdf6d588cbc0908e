// What is in a view of Flume, as the board reads it.
import type { Played, Shortcut } from '@watermeet/board/gameModule';
import type { Board as FlumeBoard } from './viewTypes';
import type { View } from '@watermeet/api/wire';

export type { Board as FlumeBoard } from './viewTypes';

export interface Point {
  name: string;
  column: number;
  /** From the top. */
  row: number;
  stone: string;
  connections: number | null;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export const boardOf = (view: View): FlumeBoard => view.board as FlumeBoard;

/** The points, row by row from the top. */
export function pointsOf(board: FlumeBoard): Point[] {
  const { size, rows, connections } = board;
  return rows.flatMap((line, row) =>
    [...line].map((stone, column) => {
      const height = size - 1 - row;
      return {
        name: `${LETTERS[column]}${height + 1}`,
        column,
        row,
        stone,
        connections: connections[height * size + column] ?? null,
      };
    }),
  );
}

/** The letter of a column. */
export function lettersOf(column: number): string {
  return LETTERS[column] ?? '?';
}

/** Where a point is joined to a stone or to the rim: neighbours within the lines that are not free. */
export function neighboursOf(
  board: FlumeBoard,
  point: { column: number; row: number },
): { column: number; row: number }[] {
  return [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ]
    .map(([right, under]) => ({ column: point.column + right!, row: point.row + under! }))
    .filter(({ column, row }) => (board.rows[row]?.[column] ?? 'rim') !== '.');
}

/** How many connections the stone or point of this name has. */
export function connectionsAt(board: FlumeBoard, name: string): number {
  const point = pointsOf(board).find((one) => one.name === name);
  return point ? neighboursOf(board, point).length : 0;
}

/** Whether the player of a stone moved again. */
export function isAgain({ moves, index, view }: Played): boolean {
  const played = moves[index];
  if (!played || played.seat === null || played.move === 'swap') return false;
  return (moves[index + 1]?.seat ?? view.to_move) === played.seat;
}

/** How many stones a turn has had, where it ends with this one; 0 where it goes on. */
export function chainUpTo({ moves, index, view }: Played): number {
  const seat = moves[index]?.seat;
  if (isAgain({ moves, index, view })) return 0;
  const before = moves.slice(0, index + 1).reverse();
  const count = before.findIndex((one) => one.seat !== seat || one.move === 'swap');
  return count < 0 ? before.length : count;
}

/** The colour that a seat had when it made a move: a swap came after it, or didn't. */
export function labelThen({ moves, index, view }: Played): string | null {
  const seat = moves[index]?.seat ?? null;
  if (seat === null) return null;
  const isSwappedLater = moves.slice(index).some((one) => one.move === 'swap');
  return view.seats[isSwappedLater ? 1 - seat : seat]?.label ?? null;
}

/** The game's own keyboard shortcuts. */
export const SHORTCUTS: Shortcut[] = [['X', 'swap']];
