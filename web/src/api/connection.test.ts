import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  DEAD_MS,
  HIDDEN_PING_MS,
  Connection,
  SLOW_MS,
  type MatchUpdate,
  type SocketLike,
} from './connection.svelte';
import { localNow } from './clock';
import { Refusal } from './refusal';
import type { FromClient, FromServer } from './wire';

class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  sent: FromClient[] = [];
  isClosed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromClient);
  }
  close(): void {
    this.isClosed = true;
  }
  receive(message: FromServer | Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  break(): void {
    this.onclose?.({ code: 1006, reason: '' });
  }
  of(type: string): FromClient[] {
    return this.sent.filter((message) => message.type === type);
  }
}

const WELCOME = {
  type: 'welcome',
  protocol: 1,
  version: '1',
  now: 0,
  name: null,
  ping_ms: 2500,
  silence_ms: 30000,
};
let sockets: FakeSocket[];
const last = (): FakeSocket => sockets.at(-1)!;
function newConnection(): Connection {
  return new Connection(() => {
    sockets.push(new FakeSocket());
    return last();
  }, 'token');
}
function greet(): void {
  last().onopen?.();
  last().receive(WELCOME);
}

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('greeting', () => {
  test('says hello with its token, then follows matches and sends pending commands', () => {
    const connection = newConnection();
    connection.follow('m', () => {});
    void connection.do('m', { type: 'resign' });
    expect(last().sent).toEqual([]);
    greet();
    expect(last().sent.map((message) => message.type)).toEqual([
      'hello',
      'follow',
      'command',
      'ping',
    ]);
    expect(last().sent[0]).toEqual({ type: 'hello', protocol: 1, token: 'token' });
    expect(connection.state).toBe('open');
  });

  test('ends where the server speaks another protocol', async () => {
    const connection = newConnection();
    const asked = connection.do('m', { type: 'resign' });
    last().onopen?.();
    last().receive({ type: 'bye', code: 'other_protocol', hint: '' });
    expect(connection.state).toBe('outdated');
    await expect(asked).rejects.toBeInstanceOf(Refusal);
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });

  test('greets again as nobody where the server has forgotten its user', () => {
    const connection = newConnection();
    connection.onForgotten = vi.fn();
    connection.follow('m', () => {}, 'seat-token');
    last().onopen?.();
    last().receive({ type: 'error', code: 'unauthorized', message: '', hint: '', explanation: {} });
    expect(connection.state).toBe('connecting');
    expect(connection.onForgotten).toHaveBeenCalledOnce();
    last().receive(WELCOME);
    expect(last().sent.filter((message) => message.type === 'hello')).toEqual([
      { type: 'hello', protocol: 1, token: 'token' },
      { type: 'hello', protocol: 1, token: '' },
    ]);
    expect(last().sent).toContainEqual({
      type: 'follow',
      match: 'm',
      token: 'seat-token',
      after: null,
      with_state: false,
    });
    expect(connection.state).toBe('open');
  });
});

describe('coming back', () => {
  test('a command that was never sent can be withdrawn, another can’t', async () => {
    const connection = newConnection();
    greet();
    void connection.do('m', { type: 'pause' } as never);
    last().onclose?.({ code: 1006, reason: '' });
    expect(connection.hasUnsent('m')).toBe(false); // It may have got there.
    const asked = connection.do('m', { type: 'resign' });
    expect([connection.hasUnsent('m'), connection.hasUnsent('n')]).toEqual([true, false]);
    connection.withdraw('m');
    await expect(asked).rejects.toMatchObject({ code: 'withdrawn' });
    vi.advanceTimersByTime(1000);
    greet();
    expect(last().of('command')).toHaveLength(1);
    expect(connection.hasUnsent('m')).toBe(false);
  });

  test('another user sees matches anew', () => {
    const connection = newConnection();
    connection.follow('m', () => {});
    greet();
    last().receive({ type: 'snapshot', match: 'm', seq: 5, document: {} });
    connection.identify('');
    greet();
    expect(last().of('follow').at(-1)).toMatchObject({ after: null });
  });

  test('resumes after the last entry, and hears nothing twice', () => {
    const heard: MatchUpdate[] = [];
    const connection = newConnection();
    connection.follow('m', (news) => heard.push(news), 'seat-token');
    greet();
    last().receive({ type: 'snapshot', match: 'm', seq: 4, document: {} });
    last().receive({ type: 'changes', match: 'm', after: 4, seq: 5, events: [], position: {} });
    last().break();
    expect(connection.state).toBe('reconnecting');
    vi.advanceTimersByTime(200);
    greet();
    expect(last().of('follow')).toEqual([
      { type: 'follow', match: 'm', token: 'seat-token', after: 5, with_state: false },
    ]);
    last().receive({ type: 'changes', match: 'm', after: 3, seq: 5, events: [], position: {} });
    expect(heard).toHaveLength(2);
    last().receive({ type: 'changes', match: 'm', after: 5, seq: 6, events: [], position: {} });
    expect(heard).toHaveLength(3);
  });

  test('a hole is filled by asking for all', () => {
    const heard: MatchUpdate[] = [];
    const connection = newConnection();
    connection.follow('m', (news) => heard.push(news));
    greet();
    last().receive({ type: 'snapshot', match: 'm', seq: 4, document: {} });
    last().receive({ type: 'changes', match: 'm', after: 6, seq: 7, events: [], position: {} });
    expect(heard).toHaveLength(1);
    expect(last().of('follow').at(-1)).toMatchObject({ after: null });
  });

  test('asks again with the same id, and answers once', async () => {
    const connection = newConnection();
    greet();
    const asked = connection.do('m', { type: 'play', move: 3, at_seq: 4 });
    const first = last().of('command')[0];
    last().break();
    vi.advanceTimersByTime(200);
    greet();
    expect(last().of('command')).toEqual([first]);
    last().receive({ type: 'ack', id: (first as { id: string }).id, match: 'm', seq: 9 });
    await expect(asked).resolves.toBe(9);
    last().break();
    vi.advanceTimersByTime(200);
    greet();
    expect(last().of('command')).toEqual([]);
  });

  test('waits longer and longer, and at once when woken', () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const connection = newConnection();
    for (const wait of [200, 500, 1000, 1000, 1000, 1000, 2000, 4000, 8000, 8000]) {
      const before = sockets.length;
      last().break();
      vi.advanceTimersByTime(wait - 1);
      expect(sockets).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(before + 1);
    }
    last().break();
    const before = sockets.length;
    connection.wake();
    expect(sockets).toHaveLength(before + 1);
  });

  test('a socket that neither opens nor closes is given up', () => {
    newConnection();
    vi.advanceTimersByTime(DEAD_MS + 200);
    expect(sockets).toHaveLength(2);
    expect(sockets[0]!.isClosed).toBe(true);
  });
});

describe('refusals', () => {
  test('reach who asked, with the reason', async () => {
    const connection = newConnection();
    greet();
    const asked = connection.do('m', { type: 'play', move: 'a1' });
    const { id } = last().of('command')[0] as { id: string };
    const error = {
      code: 'illegal_move',
      message: 'no',
      hint: 'else',
      explanation: { cells: ['a1'] },
    };
    last().receive({ type: 'error', ...error, id, match: 'm' });
    await expect(asked).rejects.toMatchObject({
      code: 'illegal_move',
      explanation: { cells: ['a1'] },
    });
  });

  test('that are transient are retried', async () => {
    const connection = newConnection();
    greet();
    const asked = connection.do('m', { type: 'resign' });
    const { id } = last().of('command')[0] as { id: string };
    last().receive({
      type: 'error',
      code: 'store_unavailable',
      message: '',
      hint: '',
      id,
      match: 'm',
    });
    vi.advanceTimersByTime(200);
    greet();
    expect(last().of('command')).toMatchObject([{ id }]);
    last().receive({ type: 'ack', id, match: 'm', seq: 1 });
    await expect(asked).resolves.toBe(1);
  });

  test('of a match that cannot be followed go to its listener', () => {
    const heard: MatchUpdate[] = [];
    const connection = newConnection();
    connection.follow('m', (news) => heard.push(news));
    greet();
    last().receive({
      type: 'error',
      code: 'not_found',
      message: '',
      hint: '',
      id: null,
      match: 'm',
    });
    expect(heard).toMatchObject([{ type: 'error', code: 'not_found' }]);
  });
});

describe('heartbeat', () => {
  test('pings after each pong, and knows the way and the clock', () => {
    const connection = newConnection();
    greet();
    const { sent } = last().of('ping')[0] as { sent: number };
    vi.advanceTimersByTime(40);
    last().receive({ type: 'pong', sent, now: sent + 20 + 5000 });
    expect(connection.latency).toBeCloseTo(40, 0);
    expect(connection.clock.offset).toBeCloseTo(5000, 0);
    vi.advanceTimersByTime(2500);
    expect(last().of('ping')).toHaveLength(2);
  });

  test('a hidden page pings less often', () => {
    newConnection();
    greet();
    vi.stubGlobal('document', { hidden: true });
    last().receive({ type: 'pong', sent: 0, now: 0 });
    vi.unstubAllGlobals();
    vi.advanceTimersByTime(HIDDEN_PING_MS - 1);
    expect(last().of('ping')).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(last().of('ping')).toHaveLength(2);
  });

  test('a connection without an answer is slow, then replaced', () => {
    const connection = newConnection();
    greet();
    vi.advanceTimersByTime(SLOW_MS);
    expect(connection.state).toBe('slow');
    vi.advanceTimersByTime(DEAD_MS - SLOW_MS);
    expect(connection.state).toBe('reconnecting');
    vi.advanceTimersByTime(200);
    expect(sockets).toHaveLength(2);
  });

  test('a node that hangs is left within five seconds, even if the next one hangs too', () => {
    newConnection();
    greet();
    last().receive({ type: 'pong', sent: 0, now: 0 });
    vi.advanceTimersByTime(5000);
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(2500);
    expect(sockets).toHaveLength(3);
  });

  test('a server that is only slow is not left again and again', () => {
    newConnection();
    greet();
    vi.advanceTimersByTime(DEAD_MS + 200);
    expect(sockets).toHaveLength(2);
    greet();
    vi.advanceTimersByTime(DEAD_MS + 1000);
    last().receive({ type: 'pong', sent: localNow() - DEAD_MS - 1000, now: 0 });
    vi.advanceTimersByTime(2500 + DEAD_MS + 1000);
    expect(sockets).toHaveLength(2);
  });

  test('of the last measurements the quickest counts', () => {
    const connection = newConnection();
    connection.clock.add(0, 100, 1050);
    connection.clock.add(200, 220, 1260);
    connection.clock.add(400, 900, 1900);
    expect([connection.clock.latency, connection.clock.offset]).toEqual([20, 1050]);
  });
});

test('signs go to partners now or never', () => {
  const connection = newConnection();
  const heard: MatchUpdate[] = [];
  connection.follow('m', (news) => heard.push(news));
  connection.sign('m', 'c3');
  greet();
  connection.sign('m', 'c4');
  expect(last().of('signal')).toEqual([{ type: 'signal', match: 'm', what: 'c4' }]);
  last().receive({ type: 'signal', match: 'm', seat: 1, what: 'd4' });
  expect(heard).toEqual([{ type: 'signal', match: 'm', seat: 1, what: 'd4' }]);
});
