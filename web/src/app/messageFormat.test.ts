import { expect, test } from 'vitest';
import { argumentNames, choices, format, parse } from './messageFormat';

const TILES = '{count, plural, =0 {no tiles} one {# tile} few {# płytki} other {# tiles}} to go';

test('arguments are filled in; a missing one stays visible', () => {
  expect(format('{name} plays {move}.', { name: 'Ana' })).toBe('Ana plays {move}.');
  expect(format("It’s o'clock, Ana")).toBe("It’s o'clock, Ana");
});

test('plurals follow the rules of the language', () => {
  expect([0, 1, 2, 1500].map((count) => format(TILES, { count }, 'en'))).toEqual([
    'no tiles to go',
    '1 tile to go',
    '2 tiles to go',
    '1,500 tiles to go',
  ]);
  expect(format(TILES, { count: 3 }, 'pl')).toBe('3 płytki to go');
});

test('choices nest and see all values', () => {
  const message =
    '{who, select, you {You win} other {{name} wins by {by, plural, one {# point} other {# points}}}}!';
  expect(format(message, { who: 'you', name: 'Ana', by: 1 })).toBe('You win!');
  expect(format(message, { who: 'other', name: 'Ana', by: 2 })).toBe('Ana wins by 2 points!');
  expect(argumentNames(parse(message))).toEqual(['by', 'name', 'who']);
  expect(choices(parse(message)).map((choice) => choice.name)).toEqual(['who', 'by']);
});

test.each(['{', '}', '{a', '{a, plural, one {x}}', '{a, date}', '{a, plural, other {x}'])(
  '%s is malformed',
  (message) => {
    expect(() => parse(message)).toThrow(SyntaxError);
  },
);
