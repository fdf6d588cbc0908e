import { expect, test } from 'vitest';
import type { GameModule } from './boards';
import { announcement, distinctNames } from './status';
import type { Move } from './wire';

const t = (key: string): string => key.toUpperCase();
const move = (text: string | null, seat: number | null): Move => ({
  seq: 1,
  at: 0,
  seat,
  move: text,
  spent_ms: 0,
  by_timer: false,
  action: null,
});
const game = {
  formatMove: (text: string) => `<${text}>`,
  announceMove: (text: string) => (text === 'end' ? '' : `places ${text}`),
} as unknown as GameModule;

test('moves are announced with their player', () => {
  expect(announcement(move('c3', 1), game, t, ['Red', 'Blue'])).toBe('Blue: places c3');
  expect(announcement(move('c3', null), game, t, [])).toBe('places c3');
});

test('hidden moves, and those without words, are not announced', () => {
  expect(announcement(move(null, 0), game, t, ['Red'])).toBeNull();
  expect(announcement(move('end', 0), game, t, ['Red'])).toBeNull();
});

test('a game without announcements falls back to its format, then to the notation', () => {
  const plain = { formatMove: game.formatMove } as GameModule;
  expect(announcement(move('c3', 0), plain, t, ['Red'])).toBe('Red: <c3>');
  expect(announcement(move('c3', 0), null, t, ['Red'])).toBe('Red: c3');
});

test('players of the same name are told apart by their seats', () => {
  expect(distinctNames(['Ana', 'Guest', 'Guest'], ['A', 'B', 'C'])).toEqual([
    'Ana',
    'Guest (B)',
    'Guest (C)',
  ]);
});
