import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MAX_WAITING, Pacer } from './pacing';

let shown: number[] = [];
let pace = 500;
let pacer: Pacer<number>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  shown = [];
  pace = 500;
  pacer = new Pacer(
    (update) => shown.push(update),
    () => pace,
  );
});
afterEach(() => vi.useRealTimers());

test('a chain of actions is shown one by one', () => {
  for (const update of [1, 2, 3]) pacer.push(update, true);
  expect(shown).toEqual([1]);
  expect(pacer.waiting).toEqual([2, 3]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual([1, 2]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual([1, 2, 3]);
});

test('what people do is shown at once, but never before what came earlier', () => {
  pacer.push(1, false);
  pacer.push(2, false);
  expect(shown).toEqual([1, 2]);
  pacer.push(3, true);
  pacer.push(4, false);
  expect(shown).toEqual([1, 2]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual([1, 2, 3, 4]);
});

test('a long queue, and one that somebody is done with, is shown at once', () => {
  for (let update = 0; update <= MAX_WAITING; update++) pacer.push(update, true);
  expect(shown).toHaveLength(1);
  pacer.push(99, true);
  expect(shown).toHaveLength(MAX_WAITING + 2);
  pacer.push(100, true);
  pacer.drain();
  expect(shown.at(-1)).toBe(100);
});

test('without a pace nothing waits, and what is replaced is never shown', () => {
  pacer.push(1, true);
  pacer.push(2, true);
  pacer.clear();
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual([1]);
  pace = 0;
  pacer.push(3, true);
  pacer.push(4, true);
  expect(shown).toEqual([1, 3, 4]);
});
