import { expect, test } from 'vitest';
import type { View } from '@watermeet/api/wire';
import { preview } from './preview';
import { boardOf } from './view';

const view = {
  to_move: 1,
  legal: ['a3', 'c3', 'swap'].map((move, action) => ({ action, move })),
  seats: [
    { label: 'Red', score: 1 },
    { label: 'Blue', score: 1 },
  ],
  board: {
    size: 3,
    rows: ['.r.', 'b..', '...'],
    connections: [2, 1, 2, null, 2, 1, 4, null, 3],
    may_swap: true,
    decided: null,
  },
} as unknown as View;

test('a stone lies there, and its owner moves again where it has three neighbours', () => {
  const found = preview(view, 'c3')!;
  expect(boardOf(found).rows).toEqual(['.rb', 'b..', '...']);
  expect(boardOf(found).connections).toEqual([3, 1, 2, null, 2, 2, 4, null, null]);
  expect([found.to_move, found.seats[1]?.score]).toEqual([1, 2]);
  expect(found.legal.map(({ move }) => move)).toEqual(['a3']);
  const bare = { ...view, board: { ...boardOf(view), rows: ['.r.', '...', '...'] } };
  const quiet = { ...bare, board: { ...bare.board, connections: [2, 1, 2, 1, 1, 1, 3, null, 3] } };
  expect(preview(quiet, 'b2')?.to_move).toBe(0);
});

test('a swap changes the colours, and a taken point shows nothing', () => {
  expect(preview(view, 'swap')?.seats.map(({ label }) => label)).toEqual(['Blue', 'Red']);
  expect(preview(view, 'b3')).toBeNull();
});
