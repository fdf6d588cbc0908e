import { expect, test } from 'vitest';
import type { Move, View } from '@watermeet/api/wire';
import {
  arrange,
  boxOf,
  cellOf,
  frontier,
  linesAt,
  linesBy,
  moveItem,
  pointsBy,
  split,
  turnBy,
} from './view';

test('moves are split into tile and cell', () => {
  expect(split('Rx@2,-1')).toEqual(['Rx', '2,-1']);
  expect(split('trade:Rx')).toEqual(['trade', 'Rx']);
  expect(split('end')).toEqual(['end']);
});

test('cells are parsed, and tiles are not cells', () => {
  expect(cellOf('3,-2')).toEqual({ x: 3, y: -2 });
  expect(cellOf('Rx')).toBeNull();
});

const tiles = [
  { x: 0, y: 0, tile: 'Rc' },
  { x: 1, y: 0, tile: 'Rd' },
  { x: 1, y: 1, tile: 'Gd' },
];

test('the box shows all tiles with a margin', () => {
  expect(boxOf([])).toMatchObject({ width: 8, height: 6 });
  const wide = boxOf([...tiles, { x: 12, y: 0, tile: 'Bb' }]);
  expect([wide.x, wide.x + wide.width]).toEqual([-1.5, 14.5]);
});

test('the cells next to tiles are empty and listed once', () => {
  const cells = frontier(tiles);
  expect(new Set(cells).size).toBe(cells.length);
  expect(cells).toContain('0,1');
  expect(cells).not.toContain('1,0');
});

test('lines are read through tiles and through empty cells', () => {
  expect(linesAt(tiles, '1,0')).toEqual({ row: ['Rc', 'Rd'], column: ['Rd', 'Gd'] });
  expect(linesAt(tiles, '0,1')).toEqual({ row: ['Gd'], column: ['Rc'] });
  expect(linesAt(tiles, 'end')).toEqual({ row: [], column: [] });
});

test('a turn scores every line that it makes or extends, and six more for six', () => {
  const row = [0, 1, 2, 3, 4, 5].map((x) => ({ x, y: 0, tile: 'Rc' }));
  const grid = [...row, { x: 5, y: 1, tile: 'Gc' }];
  const placed = [
    [4, 0],
    [5, 0],
  ] as const;
  const lines = linesBy(grid, placed);
  expect(lines.map((line) => [line.points, line.isFull])).toEqual([
    [12, true],
    [2, false],
  ]);
  expect(pointsBy(lines, placed)).toBe(14);
  expect(pointsBy(linesBy([{ x: 0, y: 0 }], [[0, 0]]), [[0, 0]])).toBe(1);
});

test('the points of an earlier turn leave out the tiles that came later', () => {
  const moves = ['Rc@0,0', 'Rd@1,0', 'end', 'draw:Bb', 'Gd@1,1', 'end'].map(
    (move) => ({ seat: 0, move }) as Move,
  );
  const view = { board: { tiles } } as unknown as View;
  const scored = [2, 5].map((index) => {
    const { lines, placed } = turnBy({ moves, index, view });
    return pointsBy(lines, Array(placed).fill(0));
  });
  expect(scored).toEqual([2, 2]);
});

test('a hand stays in the order of its player', () => {
  expect(arrange(['Bb', 'Rc', 'Rc'], ['Gd', 'Rc', 'Bb'])).toEqual(['Bb', 'Rc', 'Gd']);
  expect(moveItem(['a', 'b', 'c'], 0, 3)).toEqual(['b', 'c', 'a']);
  expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});
