import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { Connection, MatchUpdate } from './connection.svelte';
import { Refusal } from './refusal';
import { Session } from './session.svelte';

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
  session: Session;
  show: (seq: number, moves: string[]) => void;
  answers: Answer[];
} {
  let send: (update: MatchUpdate) => void = () => {};
  const answers: Answer[] = [];
  const connection = {
    follow: (_match: string, listener: (update: MatchUpdate) => void) => (send = listener),
    unfollow: () => {},
    do: vi.fn(() => {
      answers.push(new Answer());
      return answers.at(-1)!.promise;
    }),
  };
  const session = new Session(connection as unknown as Connection, 'm', { 0: 'token' });
  const show = (seq: number, moves: string[]): void => {
    const legal = moves.map((move, action) => ({ action, move }));
    const view = { to_move: 0, legal, seats: [], board: {} };
    const document = {
      seq,
      seat: 0,
      stage: 'playing',
      seats: [{ who: 'person' }],
      moves: [],
      offers: [],
      info: { game: 'pile' },
      view,
    };
    send({ type: 'snapshot', match: 'm', document } as unknown as MatchUpdate);
    flushSync();
  };
  return { session, show, answers };
}

test('a second click on the same is none, and leaves nothing chosen', async () => {
  const { session, show, answers } = staged();
  show(1, ['a', 'b']);
  session.pick('a');
  session.pick('a');
  session.pick('b');
  expect(answers).toHaveLength(1);
  expect(session.isSending).toBe(true);
  expect(session.builder.chosen).toEqual([]);
  answers[0]!.resolve(2);
  await answers[0]!.promise;
  await Promise.resolve();
  expect(session.isSending).toBe(false);
});

test('a new position can be played before the last answer has come', () => {
  const { session, show, answers } = staged();
  show(1, ['a', 'b']);
  session.pick('a');
  show(2, ['c']);
  expect(session.isSending).toBe(false);
  session.pick('c');
  expect(answers).toHaveLength(2);
  expect(session.isSending).toBe(true);
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

test('who was refused may choose again', async () => {
  const { session, show, answers } = staged();
  show(1, ['a', 'b']);
  session.pick('a');
  answers[0]!.reject(new Refusal({ code: 'illegal_move', message: 'no', hint: '' }));
  await vi.waitFor(() => expect(session.refusal?.code).toBe('illegal_move'));
  session.pick('b');
  expect(answers).toHaveLength(2);
  expect(session.refusal).toBeNull();
});
