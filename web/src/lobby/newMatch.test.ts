import { describe, expect, test } from 'vitest';
import type { Game } from '../api/wire';
import {
  customOptions,
  levelsFor,
  nextLevel,
  quickMatchRequest,
  seatCount,
  matchRequest,
  type SetupChoice,
} from './newMatch';

const number = { kind: 'number' as const, sentence: '', allowed: '' };
const size = { ...number, name: 'size', default: 7, low: 3, high: 19 };
const seats = { ...number, name: 'seats', default: 2, low: 2, high: 4 };
function game(range: [number, number], options = [size]): Game {
  const facts = {
    name: 'g',
    version: 1,
    versions: [1],
    actions: 9,
    max_length: 9,
    returns_sum: 0,
    title: '',
    summary: '',
    credit: '',
    teams: [[0], [1]],
    chance: false,
    hidden: false,
    clock: null,
    presets: [],
    people_options: {},
    timer_options: {},
  };
  return {
    name: 'g',
    levels: ['drop', 'brook', 'ocean'],
    level_options: { ocean: { size: [7, 9] } },
    facts: { ...facts, seats: range, options },
    lessons: 0,
    openings: false,
    puzzles: 0,
  };
}
const choice: SetupChoice = {
  mode: 'bot',
  level: 'sea',
  seat: 1,
  options: {},
  timing: { type: 'unlimited' },
  bots: 0,
};

describe('levels', () => {
  test('are for some options only', () => {
    expect(levelsFor(game([2, 2]), {})).toEqual(['drop', 'brook', 'ocean']);
    expect(levelsFor(game([2, 2]), { size: 9 })).toContain('ocean');
    expect(levelsFor(game([2, 2]), { size: 8 })).toEqual(['drop', 'brook']);
  });
});

describe('a table', () => {
  test('against bots begins at once', () => {
    const wish = matchRequest(game([2, 2]), choice);
    expect(wish.seats).toEqual([{ who: 'bot', level: 'sea' }, { who: 'invited' }]);
    expect([wish.seat, wish.is_public, wish.is_rated]).toEqual([1, false, false]);
  });

  test('for friends, for all, with a bot among them', () => {
    const many = game([2, 4], [size, seats]);
    const options = { seats: 3, size: 7 };
    const friends = matchRequest(many, { ...choice, mode: 'friend', options, seat: 0, bots: 1 });
    expect(friends.seats).toEqual([
      { who: 'invited' },
      { who: 'invited' },
      { who: 'bot', level: 'sea' },
    ]);
    expect(friends.options).toEqual({ seats: 3 });
    expect(matchRequest(many, { ...choice, mode: 'anyone', seat: 0 }).is_public).toBe(true);
  });

  test('the seat by chance, and never beyond the table', () => {
    expect(matchRequest(game([2, 2]), { ...choice, seat: null }, 0.9).seat).toBe(1);
    expect(matchRequest(game([2, 2]), { ...choice, seat: 5 }).seat).toBe(1);
  });

  test('as usual', () => {
    expect(quickMatchRequest(game([2, 2])).seats).toContainEqual({ who: 'bot', level: 'brook' });
    expect(seatCount(game([2, 4], [size, seats]), {})).toBe(2);
    expect(customOptions(game([2, 2]), { size: 7 })).toEqual({});
    expect(customOptions(game([2, 2]), { size: 9 })).toEqual({ size: 9 });
  });
});

const LEVELS = ['drop', 'brook', 'stream'];

test('a win leads up, as far as there are levels', () => {
  expect(nextLevel(LEVELS, 'brook', [1, -1, -1, -1])).toBe('stream');
  expect(nextLevel(LEVELS, 'stream', [1])).toBeNull();
});

test('three losses in a row lead down', () => {
  expect(nextLevel(LEVELS, 'brook', [-1, -1, -1])).toBe('drop');
  expect(nextLevel(LEVELS, 'brook', [-1, -1, 1, -1])).toBeNull();
  expect(nextLevel(LEVELS, 'brook', [-1, -1])).toBeNull();
  expect(nextLevel(LEVELS, 'drop', [-1, -1, -1])).toBeNull();
});

test('a draw, and a level that the options rule out, change nothing', () => {
  expect(nextLevel(LEVELS, 'brook', [0])).toBeNull();
  expect(nextLevel(LEVELS, 'ocean', [1])).toBeNull();
});
