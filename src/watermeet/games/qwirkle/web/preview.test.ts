import { expect, test } from 'vitest';
import type { View } from '@watermeet/api/wire';
import { preview } from './preview';
import { boardOf, handOf } from './view';

const moves = ['Rc@1,0', 'Rx@1,0', 'Rc@0,1', 'Rc@2,0', 'trade:Rc', 'trade:Rx'];
const view = {
  to_move: 0,
  legal: moves.map((move, action) => ({ action, move })),
  seats: [{ score: 5, hand: ['Rc', 'Rx', 'Gs'] }],
  board: {
    tiles: [{ x: 0, y: 0, tile: 'Rd' }],
    laid: [],
    last: [[0, 0]],
    preview: null,
    aside: [],
    bag: 9,
  },
} as unknown as View;
const legal = (found: View | null): string[] => found!.legal.map(({ move }) => move);

test('a tile lies on the cloth with its points, and others of the hand may follow in its line', () => {
  const found = preview(view, 'Rx@1,0')!;
  expect(boardOf(found).tiles.at(-1)).toEqual({ x: 1, y: 0, tile: 'Rx' });
  expect([handOf(found, 0), boardOf(found).preview]).toEqual([['Rc', 'Gs'], 2]);
  expect(legal(found)).toEqual(['Rc@2,0', 'end']);
  const ended = preview(found, 'end')!;
  expect([ended.seats[0]?.score, boardOf(ended).last, boardOf(ended).laid]).toEqual([
    7,
    [[1, 0]],
    [],
  ]);
});

test('tiles are set aside in the order of their kinds', () => {
  const found = preview(view, 'trade:Rx')!;
  expect([boardOf(found).aside, handOf(found, 0)]).toEqual([['Rx'], ['Rc', 'Gs']]);
  expect(legal(preview(view, 'trade:Rc'))).toEqual(['trade:Rx', 'end']);
  expect(boardOf(preview(found, 'end')!).aside).toEqual([]);
});
