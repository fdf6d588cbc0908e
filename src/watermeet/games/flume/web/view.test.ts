import { expect, test } from 'vitest';
import type { Move, View } from '@watermeet/api/wire';
import { connectionsAt, isAgain, labelThen, neighboursOf, pointsOf, type FlumeBoard } from './view';

const board: FlumeBoard = {
  size: 3,
  rows: ['.r.', 'b..', '...'],
  connections: [2, 1, 2, null, 2, 1, 4, null, 3],
  may_swap: false,
  decided: null,
};

test('points are told from the top, connections from the bottom', () => {
  const points = pointsOf(board);
  expect(points.map((point) => point.name)).toEqual([
    'a3',
    'b3',
    'c3',
    'a2',
    'b2',
    'c2',
    'a1',
    'b1',
    'c1',
  ]);
  expect(points.map((point) => point.stone).join('')).toBe('.r.b.....');
  expect(points.filter((point) => point.connections === 4).map((point) => point.name)).toEqual([
    'a3',
  ]);
});

test('a point is joined to stones and to the rim', () => {
  const [corner, , , , centre] = pointsOf(board);
  expect(neighboursOf(board, corner!)).toHaveLength(corner!.connections!);
  expect(neighboursOf(board, centre!)).toEqual([
    { column: 0, row: 1 },
    { column: 1, row: 0 },
  ]);
});

test('a swap leaves the earlier moves to the colours that made them', () => {
  const moves = [
    { seat: 0, move: 'a1' },
    { seat: 1, move: 'swap' },
    { seat: 0, move: 'b2' },
  ] as Move[];
  const view = { to_move: 1, seats: [{ label: 'Blue' }, { label: 'Red' }] } as unknown as View;
  const labels = moves.map((_, index) => labelThen({ moves, index, view }));
  expect(labels).toEqual(['Red', 'Blue', 'Blue']);
});

test('a player moves again if the next action is theirs, too', () => {
  const moves = [
    { seat: 0, move: 'a1' },
    { seat: 0, move: 'b2' },
    { seat: 1, move: 'c3' },
  ] as Move[];
  const view = { to_move: 1, seats: [] } as unknown as View;
  const again = moves.map((_, index) => isAgain({ moves, index, view }));
  expect(again).toEqual([true, false, true]);
  expect(connectionsAt(board, 'c1')).toBe(2);
});
