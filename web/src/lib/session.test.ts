import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { Refusal, type Line, type News } from './line.svelte';
import { Session } from './session.svelte';

/** What the server will say to a command. */
class Answer {
  resolve: (seq: number) => void = () => {};
  reject: (refusal: Refusal) => void = () => {};
  readonly promise = new Promise<number>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/** A line on which nothing happens but what a test says. */
function staged(): { session: Session; show: (seq: number, moves: string[]) => void; answers: Answer[] } {
  let tell: (news: News) => void = () => {};
  const answers: Answer[] = [];
  const line = {
    follow: (_match: string, listener: (news: News) => void) => (tell = listener),
    unfollow: () => {},
    do: vi.fn(() => {
      answers.push(new Answer());
      return answers.at(-1)!.promise;
    }),
  };
  const session = new Session(line as unknown as Line, 'm', { 0: 'token' });
  const show = (seq: number, moves: string[]): void => {
    const legal = moves.map((move, action) => ({ action, move }));
    const view = { to_move: 0, legal, seats: [], board: {} };
    const document = { seq, seat: 0, stage: 'playing', seats: [{ who: 'person' }], moves: [], offers: [], table: { game: 'pile' }, view };
    tell({ type: 'snapshot', match: 'm', document } as unknown as News);
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
