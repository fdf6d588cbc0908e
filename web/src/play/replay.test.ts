import { beforeEach, expect, test, vi } from 'vitest';
import { Replay } from './replay.svelte';
import type { MatchSession } from './matchSession.svelte';

const answers: { ply: number; answer: () => void; fail: () => void }[] = [];
vi.mock('../api/endpoints/matches', () => ({
  getPosition: (_token: string, _match: string, ply: number) =>
    new Promise((resolve, reject) => {
      const answer = (): void => resolve({ view: { ply } });
      answers.push({ ply, answer, fail: () => reject(new Error('lost')) });
    }),
}));
const router = vi.hoisted(() => ({ path: '/match/m', setParam: vi.fn() }));
vi.mock('../app/router.svelte', () => ({ router }));

const moves = [1, 2, 3, 4, 5].map((seq) => ({ seq }));
const session = { id: 'm', match: { moves, seat: null, isOver: true }, seats: {} };
const made = (): Replay => new Replay(session as unknown as MatchSession);
beforeEach(() => {
  answers.splice(0);
  router.setParam.mockClear();
});

test('a position gets its number when it is there, and the last one asked for wins', async () => {
  const replay = made();
  const first = replay.show(1);
  expect([replay.ply, replay.target]).toEqual([null, 1]);
  const second = replay.show(2);
  answers[1]!.answer();
  await second;
  expect([replay.ply, replay.view]).toEqual([2, { ply: 2 }]);
  answers[0]!.answer();
  await first;
  expect([replay.ply, replay.view]).toEqual([2, { ply: 2 }]);
});

test('a position that cannot be read leaves the one that is shown', async () => {
  const replay = made();
  const shown = replay.show(3);
  answers[0]!.answer();
  await shown;
  const lost = replay.show(4);
  answers[1]!.fail();
  await expect(lost).rejects.toThrow('lost');
  expect([replay.ply, replay.target, replay.view]).toEqual([3, 3, { ply: 3 }]);
});

test('a position that is read when the page was left is in no address', async () => {
  const shown = made().show(3);
  router.path = '/analysis';
  answers[0]!.answer();
  await shown;
  expect(router.setParam).not.toHaveBeenCalledWith('ply', 3);
  router.path = '/match/m';
  const again = made().show(3);
  answers[1]!.answer();
  await again;
  expect(router.setParam).toHaveBeenCalledWith('ply', 3);
});
