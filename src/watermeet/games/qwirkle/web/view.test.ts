import { expect, test } from 'vitest';
import { boxOf, cellOf, frontier, linesAt, split } from './view';

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
  expect(boxOf([])).toMatchObject({ width: 9, height: 7 });
  const wide = boxOf([...tiles, { x: 12, y: 0, tile: 'Bb' }]);
  expect([wide.x, wide.x + wide.width]).toEqual([-2, 15]);
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
