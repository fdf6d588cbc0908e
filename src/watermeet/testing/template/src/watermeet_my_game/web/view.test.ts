import { expect, test } from 'vitest';
import { cellsOf } from './view';

test('cells are named from the lower left corner', () => {
  const cells = cellsOf({ size: 2, rows: ['r.', '.b'] });
  expect(cells.map((cell) => cell.name)).toEqual(['a2', 'b2', 'a1', 'b1']);
  expect(cells.map((cell) => cell.letter).join('')).toBe('r..b');
});
