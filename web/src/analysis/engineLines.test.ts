import { afterEach, expect, test, vi } from 'vitest';
import type { AnalysisBoard } from './analysisBoard.svelte';
import { Lines } from './engineLines.svelte';

vi.mock('../engine/shared', () => ({ sharedEngine: () => Promise.resolve(null) }));

const own = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
afterEach(() => {
  if (own) Object.defineProperty(globalThis, 'localStorage', own);
});

test('where storage is blocked, the engine can be switched on all the same', () => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new Error('storage is blocked');
    },
  });
  const lines = new Lines({} as AnalysisBoard);
  lines.toggle();
  expect(lines.isOn).toBe(true);
});
