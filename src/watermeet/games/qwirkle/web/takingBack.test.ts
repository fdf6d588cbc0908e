import { expect, test } from 'vitest';
import { TakingBack } from './takingBack.svelte';

test('tiles are taken back until so many are left, and then the rest is done', () => {
  const taking = new TakingBack();
  const done: string[] = [];
  taking.begin(1, () => done.push('put'));
  for (const laid of [3, 3, 2, 1, 1])
    taking.follow(laid, () => Promise.resolve(done.push(`undo ${laid}`) > 0));
  expect(done).toEqual(['undo 3', 'undo 2', 'put']);
});

test('after a refusal the next tile stays', async () => {
  const taking = new TakingBack();
  let undone = 0;
  const undo = (): Promise<boolean> => Promise.resolve(++undone < 0);
  taking.begin(0, null);
  taking.follow(1, undo);
  await Promise.resolve();
  taking.follow(2, undo);
  taking.follow(1, undo);
  expect(undone).toBe(1);
});
