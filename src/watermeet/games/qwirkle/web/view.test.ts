import { expect, test } from 'vitest';
import { cellOf, split } from './view';

test('moves are split into tile and cell', () => {
  expect(split('Rx@2,-1')).toEqual(['Rx', '2,-1']);
  expect(split('trade:Rx')).toEqual(['trade', 'Rx']);
  expect(split('end')).toEqual(['end']);
});

test('cells are read, tiles are none', () => {
  expect(cellOf('3,-2')).toEqual({ x: 3, y: -2 });
  expect(cellOf('Rx')).toBeNull();
});
