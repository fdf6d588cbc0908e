// The line to the server: one socket for all matches. It comes back by itself when it breaks, says
// which entry of each match was seen last, and asks again what was not answered, with the same ids,
// so nothing is done twice and nothing is missed. What matches mean is not its business.
import { localNow, ServerClock } from './clock';
import type { Changes, Do, FromClient, FromServer, Refused, Signed, Snapshot } from './wire';
import { PROTOCOL } from './wire';

/** `open`: all is well. `slow`: no answer for a while. `reconnecting`: tries again soon.
 * `outdated`: the server speaks another protocol, so only a reload helps. */
export type LineState = 'connecting' | 'open' | 'slow' | 'reconnecting' | 'outdated';
export type Command = Do['command'];
export type News = Snapshot | Changes | Refused | Signed;

/** What a socket must do for us; a browser's WebSocket does, and the one of the tests. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

interface Followed {
  token: string;
  after: number | null;
  listener: (news: News) => void;
}

interface Asked {
  message: Do;
  resolve: (seq: number) => void;
  reject: (refusal: Refusal) => void;
}

/** How long is waited before the next try, in milliseconds; the last one over and over. */
export const WAITS_MS = [200, 500, 1000, 2000, 4000, 8000];
/** A ping that is not answered for so long means that the line is slow, */
export const SLOW_MS = 3000;
/** and for so long that it is dead: lichess and pychess found nine seconds to be right. */
export const DEAD_MS = 9000;
/** Codes of refusals that pass by themselves: the same is asked again. */
const PASSING = new Set(['store_unavailable', 'bus_unavailable', 'stopping', 'internal']);

/** What the server did not want to do, with its reason. */
export class Refusal extends Error {
  readonly code: string;
  readonly hint: string;
  readonly explanation: Record<string, unknown> | null;

  constructor(told: { code: string; message: string; hint: string; explanation?: unknown }) {
    super(told.message);
    this.name = 'Refusal';
    this.code = told.code;
    this.hint = told.hint;
    this.explanation = (told.explanation as Record<string, unknown> | null | undefined) ?? null;
  }
}

/** An id that nobody else has. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_');
}

export class Line {
  /** What is to be told to people. */
  state = $state<LineState>('connecting');
  /** Why there is no line any more. */
  ending = $state<string | null>(null);
  /** Milliseconds there and back; null before it is known. */
  trip = $state<number | null>(null);
  /** When it is tried again, in our own milliseconds; null if it is not waited for. */
  retryAt = $state<number | null>(null);
  readonly clock = new ServerClock();

  #open: () => SocketLike;
  #token: string;
  #socket: SocketLike | null = null;
  #followed = new Map<string, Followed>();
  #asked = new Map<string, Asked>();
  #tries = 0;
  #pingMs = 2500;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #isGreeted = false;
  #isClosed = false;

  /** `open` makes a new socket; `token` is the device's, or empty. */
  constructor(open: () => SocketLike, token = '') {
    this.#open = open;
    this.#token = token;
    this.#connect();
  }

  /** Hears of a match from now on; `token` of a seat, or empty for who the device is. */
  follow(match: string, listener: (news: News) => void, token = ''): void {
    this.#followed.set(match, { token, after: null, listener });
    if (this.#isGreeted) this.#follow(match);
  }

  /** Hears of it no more. */
  unfollow(match: string): void {
    if (this.#followed.delete(match) && this.#isGreeted) this.#send({ type: 'unfollow', match });
  }

  /** Asks for something; the number of its entry, or a Refusal is thrown. Waits out a broken line. */
  do(match: string, command: Command): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.state === 'outdated') {
        reject(new Refusal({ code: 'outdated', message: this.ending ?? '', hint: '' }));
        return;
      }
      const message: Do = { type: 'do', id: newId(), match, command };
      this.#asked.set(message.id, { message, resolve, reject });
      if (this.#isGreeted) this.#send(message);
    });
  }

  /** Shows partners something. Without a line nobody sees it. */
  sign(match: string, what: string): void {
    if (this.#isGreeted) this.#send({ type: 'sign', match, what });
  }

  /** Tries at once, as when the machine is online again. */
  wake(): void {
    if (this.state === 'reconnecting') this.#connect();
    else if (this.#isGreeted) this.#ping();
  }

  /** Hangs up, for good. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
    this.state = 'outdated';
  }

  // ---- the socket ----

  #connect(): void {
    this.#clearTimers();
    if (this.#isClosed) return;
    this.retryAt = null;
    if (this.state !== 'slow') this.state = 'connecting';
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => {
      this.#send({ type: 'hello', protocol: PROTOCOL, token: this.#token });
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#take(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#retry();
    };
    this.#later(DEAD_MS, () => this.#retry()); // Neither open nor closed: some networks do that.
  }

  #drop(): void {
    this.#clearTimers();
    this.#isGreeted = false;
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  #retry(): void {
    this.#drop();
    if (this.#isClosed || this.state === 'outdated') return;
    const wait = WAITS_MS[Math.min(this.#tries, WAITS_MS.length - 1)] ?? 8000;
    this.#tries += 1;
    this.state = 'reconnecting';
    this.retryAt = localNow() + wait;
    this.#later(wait, () => this.#connect());
  }

  #end(reason: string): void {
    this.#drop();
    this.ending = reason;
    this.state = 'outdated';
    for (const asked of this.#asked.values()) {
      asked.reject(new Refusal({ code: 'outdated', message: reason, hint: '' }));
    }
    this.#asked.clear();
  }

  #send(message: FromClient): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #follow(match: string): void {
    const found = this.#followed.get(match);
    if (found) this.#send({ type: 'follow', match, token: found.token, after: found.after });
  }

  // ---- what comes ----

  #take(told: FromServer): void {
    switch (told.type) {
      case 'welcome':
        this.#greeted(told.ping_ms);
        break;
      case 'pong':
        this.#ponged(told.sent, told.now);
        break;
      case 'snapshot':
      case 'changes':
        this.#news(told);
        break;
      case 'signed':
        this.#followed.get(told.match)?.listener(told);
        break;
      case 'done':
        this.#asked.get(told.id)?.resolve(told.seq);
        this.#asked.delete(told.id);
        break;
      case 'refused':
        this.#refused(told);
        break;
      case 'bye':
        if (told.code === 'other_protocol') this.#end(told.code);
        break;
      default: // Types that we do not know are passed over.
    }
  }

  #greeted(pingMs: number): void {
    this.#clearTimers();
    this.#isGreeted = true;
    this.#tries = 0;
    this.#pingMs = pingMs;
    this.state = 'open';
    for (const match of this.#followed.keys()) this.#follow(match);
    for (const { message } of this.#asked.values()) this.#send(message);
    this.#ping();
  }

  #news(told: Snapshot | Changes): void {
    const found = this.#followed.get(told.match);
    if (!found) return;
    if (told.type === 'changes') {
      if (found.after === null || told.seq <= found.after) return; // Of a seat before; or known.
      if (told.after > found.after) {
        found.after = null; // A hole, which should never be: all is asked for anew.
        this.#follow(told.match);
        return;
      }
    }
    found.after = told.seq;
    found.listener(told);
  }

  #refused(told: Refused): void {
    const asked = told.id ? this.#asked.get(told.id) : undefined;
    if (PASSING.has(told.code)) {
      this.#retry(); // What was asked is kept, and asked again.
    } else if (told.id && asked) {
      this.#asked.delete(told.id);
      asked.reject(new Refusal(told));
    } else if (told.match) {
      this.#followed.get(told.match)?.listener(told);
    } else if (!this.#isGreeted) {
      this.#end(told.code);
    }
  }

  // ---- the heartbeat ----

  #ping(): void {
    this.#clearTimers();
    this.#send({ type: 'ping', sent: localNow() });
    this.#later(SLOW_MS, () => (this.state = 'slow'));
    this.#later(DEAD_MS, () => this.#retry());
  }

  #ponged(sent: number, now: number): void {
    this.#clearTimers();
    this.clock.add(sent, localNow(), now);
    this.trip = this.clock.trip;
    this.state = 'open';
    this.#later(this.#pingMs, () => this.#ping());
  }

  #later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
