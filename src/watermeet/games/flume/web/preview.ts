// Flume's view with a move that is on its way.
import type { View } from '@watermeet/api/wire';
import { UNDECIDED, withSeat } from '@watermeet/board/preview';
import { boardOf, neighboursOf, pointsOf, type FlumeBoard } from './view';

export function preview(view: View, move: string): View | null {
  const board = boardOf(view);
  const other = 1 - view.to_move;
  if (move === 'swap') {
    const changed = { ...board, may_swap: false };
    const seats = [...view.seats].reverse();
    return { ...view, ...UNDECIDED, to_move: other, seats, board: { ...changed } };
  }
  const point = pointsOf(board).find(({ name }) => name === move);
  if (!point || point.stone !== '.') return null;
  const colour = view.seats[view.to_move]?.label === 'Red' ? 'r' : 'b';
  const rows = board.rows.map((row, number) =>
    number === point.row ? row.slice(0, point.column) + colour + row.slice(point.column + 1) : row,
  );
  const isAgain = (point.connections ?? 0) >= 3;
  return {
    ...view,
    to_move: isAgain ? view.to_move : other,
    legal: view.legal.filter((legal) => legal.move !== move && legal.move !== 'swap'),
    seats: withSeat(view, view.to_move, ({ score }) => ({ score: (score ?? 0) + 1 })),
    board: { ...withConnections({ ...board, rows, may_swap: false }) },
  };
}

function withConnections(board: FlumeBoard): FlumeBoard {
  const { size } = board;
  const connections = [...board.connections];
  for (const point of pointsOf(board)) {
    const number = (size - 1 - point.row) * size + point.column;
    connections[number] = point.stone === '.' ? neighboursOf(board, point).length : null;
  }
  return { ...board, connections };
}
