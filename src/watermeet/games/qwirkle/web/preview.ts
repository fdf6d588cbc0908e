// Qwirkle's view with a move that is on its way.
import type { LegalMove, View } from '@watermeet/api/wire';
import { UNDECIDED, without, withSeat } from '@watermeet/board/preview';
import {
  boardOf,
  cellOf,
  COLOURS,
  handOf,
  linesBy,
  pointsBy,
  SHAPES,
  split,
  type QwirkleBoard,
} from './view';

const END: LegalMove = { action: -1, move: 'end' };

export function preview(view: View, move: string): View | null {
  const board = boardOf(view);
  const seat = view.to_move;
  const [first = '', second = ''] = split(move);
  const change = (
    changed: Partial<QwirkleBoard>,
    hand: string[],
    next: Partial<View>,
    points = 0,
  ): View => ({
    ...view,
    ...next,
    seats: withSeat(view, seat, ({ score }) => ({ hand, score: (score ?? 0) + points })),
    board: { ...board, ...changed },
  });
  const held = handOf(view, seat);
  if (move === 'pass') return { ...view, ...UNDECIDED };
  if (move === 'end') {
    const last = board.laid.length ? board.laid : board.last;
    const changed = { last, laid: [], aside: [], preview: null };
    return change(changed, held, UNDECIDED, board.preview ?? 0);
  }
  if (first === 'trade') {
    const hand = without(held, second);
    const aside = [...board.aside, second];
    const legal = aside.length < board.bag ? tradesAfter(view.legal, second, hand) : [];
    return change({ aside }, hand, { legal: [...legal, END] });
  }
  const at = cellOf(second);
  if (!at) return null;
  const hand = without(held, first);
  const tiles = [...board.tiles, { ...at, tile: first }];
  const laid: [number, number][] = [...board.laid, [at.x, at.y]];
  const legal = view.legal.filter((one) => fitsAfter(one, hand, laid));
  const points = pointsBy(linesBy(tiles, laid), laid);
  return change({ tiles, laid, preview: points }, hand, { legal: [...legal, END] });
}

/** Tiles are set aside in the order of their kinds. */
function tradesAfter(legal: LegalMove[], tile: string, hand: string[]): LegalMove[] {
  const kind = (one: string): number =>
    COLOURS.indexOf(one[0] ?? '') * SHAPES.length + SHAPES.indexOf(one[1] ?? '');
  return legal.filter(({ move }) => {
    const [word, other = ''] = split(move);
    return word === 'trade' && hand.includes(other) && kind(other) >= kind(tile);
  });
}

/** Whether a placement is still in one line with the tiles of the turn; the server says the rest. */
function fitsAfter({ move }: LegalMove, hand: string[], laid: [number, number][]): boolean {
  const [tile = '', cell = ''] = split(move);
  const at = cellOf(cell);
  if (!at || !hand.includes(tile)) return false;
  const isTaken = laid.some(([x, y]) => x === at.x && y === at.y);
  return !isTaken && (laid.every(([x]) => x === at.x) || laid.every(([, y]) => y === at.y));
}
