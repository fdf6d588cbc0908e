import { expect, test } from 'vitest';
import { withLine } from './queuedReplies';

const OWN = [false, true, false, true];

test('a new reply replaces an old one in the same position', () => {
  expect(withLine([['a', 'b']], ['a', 'c'], OWN)).toEqual([['a', 'c']]);
  expect(withLine([['a', 'b']], ['x', 'b'], OWN)).toEqual([
    ['a', 'b'],
    ['x', 'b'],
  ]);
});

test('a longer line replaces its beginning, and covers it', () => {
  const long = ['a', 'b', 'c', 'd'];
  expect(withLine([['a', 'b']], long, OWN)).toEqual([long]);
  expect(withLine([long], ['a', 'b'], OWN)).toEqual([long]);
  expect(withLine([long], ['a', 'b', 'x', 'y'], OWN)).toEqual([long, ['a', 'b', 'x', 'y']]);
});
