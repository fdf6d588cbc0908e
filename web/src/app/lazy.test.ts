import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lazy } from './lazy';

let isOnline = true;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('fetch', async () => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    return { ok: true };
  });
});

afterEach(() => {
  isOnline = true;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a part comes once the network is back, however long that takes', async () => {
  isOnline = false;
  const load = vi.fn(async () => {
    if (!isOnline) throw new TypeError('Unable to preload CSS');
    return 'part';
  });
  const part = lazy(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(1);
  isOnline = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await part).toBe('part');
});

test('what fails while the server answers is an error', async () => {
  const load = vi.fn(() => Promise.reject(new Error('broken')));
  await expect(lazy(load)).rejects.toThrow('broken');
  expect(load.mock.calls.length).toBeLessThan(10);
});
