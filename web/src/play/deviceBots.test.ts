import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AGAIN_MS, DeviceBots } from './deviceBots.svelte';
import { choose } from '../engine/choose';
import type { Engine } from '../engine/engine';
import { Refusal } from '../api/refusal';
import type { BotTask, Lent } from '../api/wire';

const LENT: Lent = { match: 'm', seats: [1], module: '/e.wasm', why: '', type: 'lent' } as Lent;
const TASK = { match: 'm', seat: 1, seq: 7, task: { temperature: 0 } } as unknown as BotTask;

function staged(think: () => Promise<unknown>) {
  const offer = vi.fn();
  const play = vi.fn(() => Promise.resolve(8));
  const engine = { think, load: vi.fn() } as unknown as Engine;
  const bots = new DeviceBots({ offer, play }, () => Promise.resolve(engine));
  return { bots, offer, play, engine };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('offers to think, plays what is found, and stops when it is no longer wanted', async () => {
  const candidates = [{ action: 5, value: 0, visits: 3, proven: 0 }];
  const { bots, offer, play, engine } = staged(() => Promise.resolve({ candidates }));
  bots.want(true);
  await vi.runAllTimersAsync();
  expect(offer.mock.calls).toEqual([[true]]);
  bots.lend(LENT);
  await vi.runAllTimersAsync();
  expect(bots.seats).toEqual([1]);
  expect(engine.load).toHaveBeenCalledWith('/e.wasm');
  await bots.think(TASK);
  expect(play).toHaveBeenCalledWith(1, 5, 7);
  play.mockRejectedValueOnce(new Refusal({ code: 'conflict', message: '', hint: '' }));
  await bots.think(TASK);
  bots.want(false);
  expect(offer.mock.calls).toEqual([[true], [false]]);
});

test('gives the seats back when the engine fails, and offers again, but not forever', async () => {
  const { bots, offer } = staged(() => Promise.reject(new Error('no memory')));
  bots.want(true);
  await vi.runAllTimersAsync();
  for (const _ of [1, 2, 3]) {
    bots.lend(LENT);
    await bots.think(TASK);
    bots.lend({ ...LENT, seats: [], why: 'returned' });
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
  }
  const [on, off] = [[true], [false]];
  expect(offer.mock.calls).toEqual([on, off, on, off, on, off]);
  bots.lend({ ...LENT, seats: [], why: 'cannot_lend' });
  await vi.advanceTimersByTimeAsync(AGAIN_MS);
  expect(offer).toHaveBeenCalledTimes(6);
});

test('chooses by visits and values as Python does', () => {
  const candidates = [
    { action: 7, value: 0.5, visits: 60, proven: 0 },
    { action: 2, value: 0.4, visits: 30, proven: 0 },
    { action: 9, value: 0.1, visits: 10, proven: 0 },
  ];
  const wins = { action: 1, value: 1, visits: 1, proven: 120 };
  const loses = { action: 4, value: -1, visits: 99, proven: -126 };
  expect(choose(candidates, 0, () => 0.99)).toBe(7);
  // SearchResult.choose with a temperature of 0.1: shares 0.842, 0.155 and 0.003.
  const chosen = [0, 0.84, 0.85, 0.99, 0.999].map((at) => choose(candidates, 0.1, () => at));
  expect(chosen).toEqual([7, 7, 2, 2, 9]);
  expect(choose([wins, ...candidates], 5, () => 0.99)).toBe(1);
  expect(choose([...candidates, loses], 5, () => 0.999)).toBe(9);
});
