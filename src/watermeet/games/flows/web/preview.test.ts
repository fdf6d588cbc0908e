import { expect, test } from 'vitest';
import type { View } from '@watermeet/api/wire';
import { preview } from './preview';
import { boardOf, tileOf } from './view';

const view = {
  to_move: 1,
  legal: [],
  seats: [{ tile: null }, { tile: 'T1' }],
  board: {
    cells: ['a1', 'b1'].map((name) => ({ name, tile: null, rotation: null })),
    sides: [0, 1].map((side) => ({ side, seat: null })),
  },
} as unknown as View;

test.each(['T1.4@b1', 'T1.4xb1'])('%s lies on its cell and has left the hand', (move) => {
  const found = preview(view, move)!;
  expect(boardOf(found).cells[1]).toMatchObject({ tile: 'T1', rotation: 4 });
  expect(boardOf(found).cells[0]).toMatchObject({ tile: null });
  expect(tileOf(found, 1)).toBe('??');
});

test('a side is taken', () => {
  expect(boardOf(preview(view, 'side:1')!).sides.map(({ seat }) => seat)).toEqual([null, 1]);
});
