import { expect, test } from 'vitest';
import { isCell, layOf, split } from './view';

test('moves are split into cell and edges, card and target', () => {
  expect(split('NE@c4')).toEqual(['c4', 'NE']);
  expect(split('X@c4')).toEqual(['c4', 'X']);
  expect(split('bird:a2')).toEqual(['bird', 'a2']);
  expect(split('draw')).toEqual(['draw']);
  expect([layOf('bird:a2'), isCell('a2'), isCell('bend')]).toEqual([null, true, false]);
});
