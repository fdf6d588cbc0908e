import { expect, test } from 'vitest';
import { said } from './reasons.svelte';

const TABLE = { occupied: 'Auf {move} liegt schon {colour}.', 'word.Red': 'Rot' };

test('a reason is said with its words in the same language', () => {
  expect(said(TABLE, 'occupied', { move: 'c3', colour: 'Red' })).toBe('Auf c3 liegt schon Rot.');
  expect(said(TABLE, 'occupied', { move: 'c3', colour: 'Green' })).toBe('Auf c3 liegt schon Green.');
});

test('what the table does not have is not said', () => {
  expect(said(TABLE, 'other')).toBeNull();
  expect(said(undefined, 'occupied')).toBeNull();
});
