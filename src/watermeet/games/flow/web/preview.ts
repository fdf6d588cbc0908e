// Flow's view with a move that is on its way.
import type { View } from '@watermeet/api/wire';
import { UNDECIDED, without, withSeat } from '@watermeet/board/preview';
import { boardOf, handOf, kindOf, layOf, type Cell, type FlowBoard } from './view';

const CARDS = new Set(['support', 'bird', 'current', 'fishing', 'calm', 'return']);
const EMPTY = { tile: null, scenario: false, edges: '', bird: false, wet: false };

export function preview(view: View, move: string): View | null {
  const board = boardOf(view);
  const [word = '', what = ''] = move.split(':');
  const changed = changeOf(board, move, word, what);
  if (!changed) return null;
  const seat = view.to_move;
  const isCard = CARDS.has(word);
  return {
    ...view,
    // With a tile in hand the turn goes on; where it fits, the server says.
    ...(changed.tile ? { legal: [] } : UNDECIDED),
    seats: isCard
      ? withSeat(view, seat, () => ({ hand: without(handOf(view, seat), word) }))
      : view.seats,
    board: { ...board, ...changed },
  };
}

/** What a move changes on the board; null for a word that isn't known here. */
function changeOf(
  board: FlowBoard,
  move: string,
  word: string,
  what: string,
): Partial<FlowBoard> | null {
  const { tiles } = board;
  const laid = layOf(move);
  if (laid) return { tile: null, cells: withCell(board, laid.cell, tileBy(board, laid.part)) };
  switch (word) {
    case 'draw':
      return { face_down: board.face_down - 1 };
    case 'take':
      return { due: 'lay', tile: what, tiles: { ...tiles, up: less(tiles.up, what) } };
    case 'support':
      return { cells: withCell(board, what, EMPTY) };
    case 'bird':
      return { cells: withCell(board, what, { bird: true }), birds_left: board.birds_left - 1 };
    case 'current': {
      const lifted = board.cells.find(({ name }) => name === what);
      const tile = lifted?.scenario ? 'scenario' : (lifted?.tile ?? null);
      return { due: 'carry', tile, cells: withCell(board, what, EMPTY) };
    }
    case 'return':
      return {
        due: 'carry',
        tile: what,
        tiles: { ...tiles, discarded: less(tiles.discarded, what) },
      };
    case 'swap':
    case 'discard':
      return { tile: null };
    case 'calm':
      return { calm: true };
    case 'time':
      return { time_up: true };
    case 'boat':
      return {
        boat: { ...board.boat, edges: what },
        cells: withCell(board, board.boat.cell, { edges: what }),
      };
    case 'fishing':
    case 'roll':
      return {};
    default:
      return null;
  }
}

function tileBy(board: FlowBoard, edges: string): Partial<Cell> {
  if (edges === 'X') return { scenario: true };
  // Only a tile that is moved may lie dry.
  return { tile: kindOf(edges), edges, wet: board.due !== 'carry' };
}

function withCell({ cells }: FlowBoard, name: string, change: Partial<Cell>): Cell[] {
  return cells.map((cell) => (cell.name === name ? { ...cell, ...change } : cell));
}

function less(counts: Record<string, number>, kind: string): Record<string, number> {
  return { ...counts, [kind]: (counts[kind] ?? 1) - 1 };
}
