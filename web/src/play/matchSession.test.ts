import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { Connection, MatchUpdate } from '../api/connection.svelte';
import { Refusal } from '../api/refusal';
import { MatchSession } from './matchSession.svelte';
import type { View } from '../api/wire';

/** The server's answer to a command. */
class Answer {
  resolve: (seq: number) => void = () => {};
  reject: (refusal: Refusal) => void = () => {};
  readonly promise = new Promise<number>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/** A session on a connection that the test controls. */
function staged(): {
  session: MatchSession;
  show: (seq: number, moves: string[]) => void;
  change: (seq: number, seat: number) => void;
  offer: (seq: number) => void;
  answers: Answer[];
} {
  let send: (update: MatchUpdate) => void = () => {};
  const answers: Answer[] = [];
  const connection = {
    follow: (_match: string, listener: (update: MatchUpdate) => void) => (send = listener),
    unfollow: () => {},
    clock: { at: () => 0 },
    do: vi.fn(() => {
      answers.push(new Answer());
      return answers.at(-1)!.promise;
    }),
  };
  const session = new MatchSession(connection as unknown as Connection, 'm', { 0: 'token' });
  const show = (seq: number, moves: string[]): void => {
    const legal = moves.map((move, action) => ({ action, move }));
    const view = { to_move: 0, legal, seats: [], board: {} };
    const document = {
      seq,
      seat: 0,
      stage: 'playing',
      seats: [{ who: 'person' }, { who: 'bot' }],
      moves: [],
      offers: [],
      info: { game: 'pile' },
      view,
    };
    send({ type: 'snapshot', match: 'm', document } as unknown as MatchUpdate);
    flushSync();
  };
  const change = (seq: number, seat: number, kind = 'played'): void => {
    const events = [{ seq, kind, at: 0, seat, move: `m${seq}` }];
    const clocks = { remaining_ms: [], running: null };
    const view = { to_move: 1, legal: [], seats: [], board: { seq } };
    const seats = [{ who: 'person' }, { who: 'bot' }];
    const position = { seq, stage: 'playing', view, clocks, seats, offers: [] };
    send({ type: 'changes', match: 'm', after: seq - 1, seq, events, position } as never);
    flushSync();
  };
  const offer = (seq: number): void => change(seq, 1, 'offered');
  return { session, show, change, offer, answers };
}

const seqOf = (view: View | null): unknown => (view?.board as { seq?: number } | null)?.seq;

test('the actions of a bot are shown one by one, each with its position', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { session, show, change } = staged();
  const shown = (): unknown => seqOf(session.match.view);
  show(1, []);
  change(2, 0);
  expect(shown()).toBe(2); // Our own move is there at once.
  for (const seq of [3, 4, 5]) change(seq, 1);
  expect(shown()).toBe(2);
  vi.advanceTimersByTime(500);
  expect(shown()).toBe(3);
  expect(session.newMoves.map(({ move }) => move)).toEqual(['m3']);
  expect(seqOf(session.viewBefore)).toBe(2);
  vi.advanceTimersByTime(500);
  expect(shown()).toBe(4);
  session.catchUp();
  expect(shown()).toBe(5);
  vi.useRealTimers();
});

test('a move stays on its way until its position is here, whichever comes first', async () => {
  const { session, show, change, answers } = staged();
  show(1, ['a', 'b']);
  session.pick('a');
  answers[0]!.resolve(2);
  await answers[0]!.promise;
  await Promise.resolve();
  expect([session.isBusy, session.sending]).toEqual([true, ['a']]);
  change(2, 0);
  expect([session.isBusy, session.sending]).toEqual([false, []]);
});

test('what others offer leaves a move on its way where it is', () => {
  const { session, show, offer } = staged();
  show(1, ['a', 'b']);
  session.pick('a');
  offer(2);
  expect(session.sending).toEqual(['a']);
});

test('a pick during an answer waits for the next position', () => {
  const { session, show, answers } = staged();
  show(1, ['a', 'b@1', 'b@2']);
  session.pick('a');
  session.pick('b');
  session.pick('1');
  expect(session.builder.chosen).toEqual([]);
  show(2, ['b@1', 'b@2']);
  expect(answers).toHaveLength(2);
  expect(session.refusal).toBeNull();
});

test('a pick that the next position no longer has is refused', () => {
  const { session, show, change } = staged();
  show(1, ['a', 'b']);
  session.pick('a');
  session.pick('b');
  show(2, ['c']);
  expect(session.refusal?.code).toBe('conflict');
  session.pick('c');
  session.pick('b');
  change(3, 0);
  expect(session.refusal?.code).toBe('not_your_turn');
});

test('half a move stays when something else happens in the match', () => {
  const { session, show } = staged();
  show(1, ['b@1', 'b@2']);
  session.pick('b');
  show(2, ['b@1', 'b@2']); // Somebody has made an offer.
  expect(session.builder.chosen).toEqual(['b']);
});

test('a new position can be played before the last answer has come', () => {
  const { session, show, answers } = staged();
  show(1, ['a', 'b']);
  session.pick('a');
  show(2, ['c']);
  expect(session.isBusy).toBe(false);
  session.pick('c');
  expect(answers).toHaveLength(2);
  expect(session.isBusy).toBe(true);
});

test('the answer to what was asked before does not open what was asked last', async () => {
  const { session, show, answers } = staged();
  show(1, ['a']);
  session.pick('a');
  show(2, ['c', 'd']);
  session.pick('c');
  answers[0]!.resolve(2);
  await answers[0]!.promise;
  await Promise.resolve();
  session.pick('d');
  expect(answers).toHaveLength(2);
});

test('a seat whose token has ended is followed by the user’s own token, once', () => {
  const tokens: string[] = [];
  let send: (update: MatchUpdate) => void = () => {};
  const connection = {
    follow: (_match: string, listener: (update: MatchUpdate) => void, token: string) => {
      tokens.push(token);
      send = listener;
    },
  };
  const session = new MatchSession(connection as unknown as Connection, 'm', { 0: 'ended' }, 'own');
  const ended = vi.fn();
  session.onSeatEnded = ended;
  const refusal = { type: 'error', code: 'unauthorized', match: 'm', message: '', hint: '' };
  send({ ...refusal, explanation: {} } as unknown as MatchUpdate);
  send({ ...refusal, explanation: {} } as unknown as MatchUpdate);
  expect(tokens).toEqual(['ended', 'own']);
  expect(ended.mock.calls).toEqual([[0]]);
  expect(session.seats).toEqual({ 0: 'own' });
});
