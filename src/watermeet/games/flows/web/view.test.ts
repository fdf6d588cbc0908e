import { expect, test } from 'vitest';
import { cellOf, edgeMiddle, split, tilePaths } from './view';

test('moves are split into cell and turned tile', () => {
  expect(split('T1.2@d4')).toEqual(['d4', 'T1.2']);
  expect(split('T1.2xd4')).toEqual(['d4', 'T1.2']);
  expect(split('side:3')).toEqual(['side:3']);
  expect([cellOf('T0.1@a10'), cellOf('draw:T1')]).toEqual(['a10', null]);
});

test('edge 0 lies in the south-west, edge 3 opposite', () => {
  expect(edgeMiddle(0, 10).x).toBeLessThan(0);
  expect(edgeMiddle(0, 10).y).toBeGreaterThan(0);
  expect(edgeMiddle(3, 10).x).toBeCloseTo(-edgeMiddle(0, 10).x);
});

test('a tile has three strands, and turning moves them on', () => {
  expect(tilePaths('T2.0', 10)).toHaveLength(3);
  expect(tilePaths('T2.1', 10)).not.toEqual(tilePaths('T2.0', 10));
  expect(tilePaths('??', 10)).toEqual([]);
});
