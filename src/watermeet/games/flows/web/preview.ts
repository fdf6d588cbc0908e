// Flows' view with a move that is on its way. The board draws the strands of its tile itself.
import type { View } from '@watermeet/api/wire';
import { UNDECIDED, withSeat } from '@watermeet/board/preview';
import { boardOf, cellOf } from './view';

export function preview(view: View, move: string): View | null {
  const board = boardOf(view);
  const seat = view.to_move;
  if (move.startsWith('side:')) {
    const taken = Number(move.slice('side:'.length));
    const sides = board.sides.map((one) => (one.side === taken ? { ...one, seat } : one));
    return { ...view, ...UNDECIDED, board: { ...board, sides } };
  }
  const name = cellOf(move);
  if (name === null) return null;
  const [tile = '', rotation] = move.split(/[.@x]/);
  const cells = board.cells.map((cell) =>
    cell.name === name ? { ...cell, tile, rotation: Number(rotation) } : cell,
  );
  const seats = withSeat(view, seat, () => ({ tile: '??' }));
  return { ...view, ...UNDECIDED, seats, board: { ...board, cells } };
}
