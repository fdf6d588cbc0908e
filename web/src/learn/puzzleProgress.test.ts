import { expect, test } from 'vitest';
import { puzzleProgress } from './puzzleProgress.svelte';

const at = (day: string): number => Date.parse(`${day}T12:00:00Z`);

test('days in a row count whatever the game, until one is missed', () => {
  puzzleProgress.endDaily('a', '2026-02-27', false);
  puzzleProgress.endDaily('b', '2026-02-28', false);
  puzzleProgress.endDaily('a', '2026-03-01', false);
  expect(puzzleProgress.dayStreak(at('2026-03-01'))).toBe(3);
  expect(puzzleProgress.dayStreak(at('2026-03-02'))).toBe(3); // Today's is still to come.
  expect(puzzleProgress.dayStreak(at('2026-03-03'))).toBe(0);
});

test('a puzzle whose solution was shown is not solved, even if it is repeated', () => {
  puzzleProgress.endDaily('a', '2026-05-01', true);
  puzzleProgress.endDaily('a', '2026-05-01', false);
  expect(puzzleProgress.dayStreak(at('2026-05-01'))).toBe(0);
});

test('weeks are from Monday to Sunday, and end with this one', () => {
  const weeks = puzzleProgress.weeks(2, at('2026-03-04'));
  expect(weeks.map((week) => [week[0], week[6]])).toEqual([
    ['2026-02-23', '2026-03-01'],
    ['2026-03-02', '2026-03-08'],
  ]);
  expect(puzzleProgress.weeks(1, at('2026-03-08'))[0]![6]).toBe('2026-03-08');
});
