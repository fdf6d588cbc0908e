import { expect, test } from 'vitest';
import { reasonText, withNames } from './reasons.svelte';

const TABLE = {
  'reason.occupied': 'Auf {move} liegt {colour}.',
  'word.Red': 'Rot',
  'word.and': 'und',
  'word.east': 'Osten',
  'word.north-east': 'Nordosten',
  'word.upper': 'obere',
  'word.upper left': 'oben links',
};

test('a reason is said with its words in the same language', () => {
  expect(reasonText(TABLE, 'occupied', { move: 'c3', colour: 'Red' })).toBe('Auf c3 liegt Rot.');
  expect(reasonText(TABLE, 'occupied', { move: 3, colour: 'Green' })).toBe('Auf 3 liegt Green.');
});

test('facts of several words are put into the language word by word', () => {
  expect(reasonText(TABLE, 'occupied', { move: 'north-east', colour: 'Red and Redder' })).toBe(
    'Auf Nordosten liegt Rot und Redder.',
  );
  expect(reasonText(TABLE, 'occupied', { move: 'upper left', colour: 'upper' })).toBe(
    'Auf oben links liegt obere.',
  );
});

test('what the table does not have is not said', () => {
  expect(reasonText(TABLE, 'other')).toBeNull();
  expect(reasonText(undefined, 'occupied')).toBeNull();
});

test('players are called by their names, which are not translated', () => {
  const names = { Red: 'Ana', 'Player 2': 'upper', Blue: 'Red' };
  expect(withNames('Red beats Player 2, Redder.', names)).toBe('Ana beats upper, Redder.');
  expect(
    reasonText(TABLE, 'occupied', { move: 'Player 2', colour: 'Blue and Red' }, 'de', names),
  ).toBe('Auf upper liegt Red und Ana.');
});
