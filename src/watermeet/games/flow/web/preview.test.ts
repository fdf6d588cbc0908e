import { expect, test } from 'vitest';
import type { View } from '@watermeet/api/wire';
import { preview } from './preview';
import { boardOf, handOf } from './view';

const laid = { tile: 'bend', edges: 'NE', bird: false, wet: true, scenario: false };
const view = {
  to_move: 0,
  legal: [],
  seats: [{ hand: ['current', 'bird'] }],
  board: {
    cells: [
      { name: 'a2', ...laid },
      { name: 'b2', ...laid, tile: null, edges: '', wet: false },
    ],
    due: 'lay',
    tile: 'cross',
    face_down: 9,
    birds_left: 3,
    tiles: { down: {}, up: { bend: 1 }, discarded: { bend: 2 } },
    boat: { cell: 'b2', edges: 'NESW' },
  },
} as unknown as View;

test('a tile lies on its cell, and a card is played', () => {
  expect(boardOf(preview(view, 'NESW@b2')!)).toMatchObject({
    tile: null,
    cells: [{}, { tile: 'cross', edges: 'NESW', wet: true }],
  });
  const bird = preview(view, 'bird:a2')!;
  expect([boardOf(bird).cells[0]?.bird, handOf(bird, 0)]).toEqual([true, ['current']]);
  const current = preview(view, 'current:a2')!;
  expect(boardOf(current)).toMatchObject({
    due: 'carry',
    tile: 'bend',
    cells: [{ tile: null }, {}],
  });
  expect(boardOf(preview(current, 'N@b2')!).cells[1]).toMatchObject({
    tile: 'obstacle',
    wet: false,
  });
});

test.each(['draw', 'take:bend', 'support:a2', 'fishing', 'calm', 'return:bend', 'swap', 'discard'])(
  '%s is answered at once',
  (move) => expect(preview(view, move)).not.toEqual(view),
);

test('what isn’t known shows nothing', () => expect(preview(view, 'dance:a2')).toBeNull());
