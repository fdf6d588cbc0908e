import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchReadiness } from './readiness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('who waits is told while a part is prepared, and that it is there', async () => {
  const answers = [
    { rules: true, bots: false },
    { rules: true, bots: false },
    { rules: true, bots: true },
  ];
  const read = vi.fn(() => Promise.resolve(answers.shift()!));
  const reports: boolean[] = [];
  watchReadiness('pile', 'bots', (isPreparing) => reports.push(isPreparing), read);
  await vi.advanceTimersByTimeAsync(900);
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reports).toEqual([true, true, false]);
  expect(read).toHaveBeenCalledTimes(3);
  expect(read).toHaveBeenCalledWith('pile');
});

test('the rules may be there though the bots are not', async () => {
  const reports: boolean[] = [];
  watchReadiness(
    'pile',
    'rules',
    (isPreparing) => reports.push(isPreparing),
    () => Promise.resolve({ rules: true, bots: false }),
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports).toEqual([false]);
});

test('who no longer waits is told nothing more, not even of an answer under way', async () => {
  let answer: (found: { rules: boolean; bots: boolean }) => void = () => {};
  const reports: boolean[] = [];
  const stop = watchReadiness(
    'pile',
    'bots',
    (isPreparing) => reports.push(isPreparing),
    () => new Promise((resolve) => (answer = resolve)),
  );
  await vi.advanceTimersByTimeAsync(1_500);
  stop();
  answer({ rules: false, bots: false });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports).toEqual([false]);
});

test('a server that does not answer prepares nothing', async () => {
  const reports: boolean[] = [];
  const read = vi.fn(() => Promise.reject(new Error('away')));
  watchReadiness('pile', 'bots', (isPreparing) => reports.push(isPreparing), read);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports).toEqual([false]);
  expect(read).toHaveBeenCalledTimes(1);
});
