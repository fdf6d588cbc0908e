import { expect, test } from 'vitest';
import { freeCorner } from './freeCorner';

const BOX = { x: 0, y: 0, width: 100, height: 100 };
const spot = (x: number, y: number) => ({ key: `${x},${y}`, x, y });
const square = [spot(5, 5), spot(95, 5), spot(5, 95), spot(95, 95)];

test('buttons take a corner where no cell is', () => {
  const bottomRight = { isRight: true, isTop: false };
  expect(freeCorner([spot(50, 50)], BOX, 10, 300, 300)).toEqual(bottomRight);
  expect(freeCorner(square.slice(0, 3), BOX, 10, 300, 300)).toEqual(bottomRight);
  expect(freeCorner(square.slice(1), BOX, 10, 300, 300)).toEqual({ isRight: false, isTop: true });
  expect(freeCorner(square, BOX, 10, 300, 300)).toBeNull();
});

test('beside a board that is narrower than its drawing, every corner is free', () => {
  expect(freeCorner(square, BOX, 10, 600, 300)).toEqual({ isRight: true, isTop: false });
});
