// Flecks' view with a move that is on its way.
import { key } from '@watermeet/board/hexagon';
import type { View } from '@watermeet/api/wire';
import { UNDECIDED } from '@watermeet/board/preview';
import { boardOf, rowAfter, rowOf, split, type Cell, type FlecksBoard } from './view';

export function preview(view: View, move: string): View | null {
  const board = boardOf(view);
  const [rear = '', way] = split(move);
  if (move === 'stop') return { ...view, ...UNDECIDED };
  if (way) {
    const left = new Set(rowOf(board, rear, way).map(key));
    const taken = new Set(rowAfter(board, rear, way).map(key));
    if (!taken.size) return null;
    const cells = withStones(board, (cell) =>
      taken.has(key(cell)) ? board.turn : left.has(key(cell)) ? '' : cell.stone,
    );
    return { ...view, ...UNDECIDED, board: { ...board, cells } };
  }
  const cells = withStones(board, (cell) => (cell.name === rear ? board.turn : cell.stone));
  if (board.due === 'opening') return { ...view, ...UNDECIDED, board: { ...board, cells } };
  // A row may follow; which ones can move, the server says.
  const due = 'move' as const;
  const legal = [{ action: -1, move: 'stop' }];
  return { ...view, legal, board: { ...board, cells, due, last_added: rear } };
}

function withStones(board: FlecksBoard, stoneOn: (cell: Cell) => Cell['stone']): Cell[] {
  return board.cells.map((cell) => ({ ...cell, stone: stoneOn(cell) }));
}
