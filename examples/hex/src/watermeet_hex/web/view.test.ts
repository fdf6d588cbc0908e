import { expect, test } from 'vitest';
import { cellsOf, centreOf, cornersOf, pointList, sidesOf, STEP } from './view';

test('cells are named from the upper left corner', () => {
  const cells = cellsOf({ size: 2, rows: ['r.', '.b'] });
  expect(cells.map((cell) => cell.name)).toEqual(['a1', 'b1', 'a2', 'b2']);
  expect(cells.map((cell) => cell.letter).join('')).toBe('r..b');
});

test('the six neighbours of a cell are equally far away', () => {
  const { x, y } = centreOf(4, 4);
  for (const [right, down] of [
    [0, -1],
    [1, -1],
    [1, 0],
    [0, 1],
    [-1, 1],
    [-1, 0],
  ] as const) {
    const near = centreOf(4 + right, 4 + down);
    expect(Math.hypot(near.x - x, near.y - y)).toBeCloseTo(STEP);
  }
});

test('each side runs from corner to corner of the board', () => {
  const [top, bottom, left, right] = sidesOf(3).map((side) => side.points.split(' '));
  expect(top?.[0]).toBe(left?.[0]);
  expect(bottom?.[0]).toBe(left?.at(-1));
  expect(top?.at(-1)).toBe(right?.[0]);
  expect(bottom?.at(-1)).toBe(right?.at(-1));
  expect(pointList(cornersOf(centreOf(0, 0)).slice(0, 1))).toBe('0.0,-20.0');
});
