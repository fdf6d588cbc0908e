// The WebSocket to the server, shared by all matches. It reconnects automatically, says which entry
// of each match it saw last, and resends unanswered commands with the same ids: nothing is done
// twice and nothing is missed. It doesn't interpret what it carries.
import { localNow, ServerClock } from './clock';
import { newId, Refusal } from './refusal';
import type {
  ChallengeNews,
  Changes,
  ChatMessage,
  ClientCommand,
  ErrorMessage,
  FromClient,
  FromServer,
  LobbyNews,
  PartnerSignal,
  Presence,
  Said,
  Say,
  SeekNews,
  SendCommand,
  Snapshot,
  WatchLobby,
} from './wire';
import { PROTOCOL } from './wire';

/**
 * `slow`: a ping is overdue. `reconnecting`: the next attempt is scheduled. `outdated`: the server
 * speaks another protocol, so only a reload helps.
 */
export type ConnectionState = 'connecting' | 'open' | 'slow' | 'reconnecting' | 'outdated';
export type Command = ClientCommand;
/** What the server sends about one match. */
export type MatchUpdate =
  Snapshot | Changes | ErrorMessage | PartnerSignal | Said | ChatMessage | Presence;
/** What the server sends about the lobby. */
export type LobbyUpdate = LobbyNews | SeekNews | ChallengeNews;

/** The part of WebSocket that we use; tests bring their own. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

interface Subscription {
  token: string;
  /** The tokens of further seats at this screen. */
  others: string[];
  /** The last entry seen; null before the first snapshot. */
  after: number | null;
  listener: (update: MatchUpdate) => void;
}

interface PendingCommand {
  message: SendCommand;
  resolve: (seq: number) => void;
  reject: (refusal: Refusal) => void;
}

/**
 * Delays before each reconnection attempt in milliseconds; the last one repeats. Whoever lost one
 * node of several tries about every second for five seconds.
 */
export const BACKOFF_MS = [200, 500, 1000, 1000, 1000, 1000, 2000, 4000, 8000];
/** The connection is slow when a ping takes longer than this, */
export const SLOW_MS = 1500;
/**
 * and dead after this: with the time between two pings, a node that hangs is left within five
 * seconds. Each time this happens, the server is given twice as long, up to the second value, in
 * case it is only slow.
 */
export const DEAD_MS = 2000;
export const MAX_DEAD_MS = 8000;
/** How often a hidden page pings: before its player counts as away. */
export const HIDDEN_PING_MS = 10_000;
/** Refusals that pass: the command is sent again after reconnecting. */
const TRANSIENT = new Set(['store_unavailable', 'bus_unavailable', 'stopping', 'internal']);

export class Connection {
  state = $state<ConnectionState>('connecting');
  /** Round-trip time in milliseconds; null before the first pong. */
  latency = $state<number | null>(null);
  readonly clock = new ServerClock();
  /** Whether the server has closed it because the user was suspended. */
  isSuspended = $state(false);
  /** The matches of commands that were never sent, and can still be withdrawn; by their ids. */
  #unsent = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** Called when the server has forgotten its user, say because of a new password elsewhere. */
  onForgotten: () => void = () => {};
  /** Those who want to know what friends write. */
  readonly friendListeners = new Set<(message: ChatMessage) => void>();

  #open: () => SocketLike;
  #token: string;
  #socket: SocketLike | null = null;
  #subscriptions = new Map<string, Subscription>();
  #pending = new Map<string, PendingCommand>();
  #lobby: { what: NonNullable<WatchLobby['what']>; listener: (update: LobbyUpdate) => void } = {
    what: 'nothing',
    listener: () => {},
  };
  #attempts = 0;
  #deadMs = DEAD_MS;
  #pingMs = 2500;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #isWelcome = false;
  #isClosed = false;

  /** `open` makes a new socket; `token` is the user's, or empty. */
  constructor(open: () => SocketLike, token = '') {
    this.#open = open;
    this.#token = token;
    this.#connect();
  }

  /**
   * Subscribes to a match: as the seat of the token, or as the user without one. `others` are the
   * tokens of further seats at this screen.
   */
  follow(
    match: string,
    listener: (update: MatchUpdate) => void,
    token = '',
    others: string[] = [],
  ): void {
    this.#subscriptions.set(match, { token, others, after: null, listener });
    if (this.#isWelcome) this.#follow(match);
  }

  unfollow(match: string): void {
    if (this.#subscriptions.delete(match) && this.#isWelcome)
      this.#send({ type: 'unfollow', match });
  }

  /** Sends a command; resolves to the number of its entry, or rejects with a Refusal. */
  do(match: string, command: Command): Promise<number> {
    return this.#request({ type: 'command', id: newId(), match, command });
  }

  #request(message: SendCommand): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.state === 'outdated') {
        reject(new Refusal({ code: 'outdated', message: '', hint: '' }));
        return;
      }
      this.#pending.set(message.id, { message, resolve, reject });
      if (this.#isWelcome) this.#send(message);
      else this.#unsent = new Map([...this.#unsent, [message.id, message.match]]);
    });
  }

  /** Whether a command of a match was never sent: the server can't have got it. */
  hasUnsent(match: string): boolean {
    return [...this.#unsent.values()].includes(match);
  }

  /** Withdraws the commands of a match that were never sent. */
  withdraw(match: string): void {
    for (const [id, of] of this.#unsent) {
      if (of !== match) continue;
      this.#pending.get(id)?.reject(new Refusal({ code: 'withdrawn', message: '', hint: '' }));
      this.#pending.delete(id);
    }
    this.#unsent = new Map([...this.#unsent].filter(([, of]) => of !== match));
  }

  /** Shows partners a sign. It is lost while disconnected. */
  sign(match: string, what: string): void {
    if (this.#isWelcome) this.#send({ type: 'signal', match, what });
  }

  /** Says something to everybody at a match. It is lost while disconnected. */
  say(match: string, what: Say['what']): void {
    if (this.#isWelcome) this.#send({ type: 'say', match, what });
  }

  /** Watches the lobby: everything, what concerns the user alone, or nothing any more. */
  watchLobby(what: NonNullable<WatchLobby['what']>, listener: (update: LobbyUpdate) => void): void {
    this.#lobby = { what, listener };
    if (this.#isWelcome) this.#send({ type: 'lobby', what });
  }

  /** Continues as another user, for example when this browser has become a guest. */
  identify(token: string): void {
    if (token === this.#token) return;
    this.#become(token);
    if (this.#socket && !this.#isClosed) {
      this.#drop();
      this.#connect();
    }
  }

  /** Reconnects at once, for example when the machine is back online. */
  wake(): void {
    if (this.state === 'reconnecting') this.#connect();
    else if (this.#isWelcome) this.#ping();
  }

  /** Closes the connection for good. */
  close(): void {
    this.#isClosed = true;
    this.#drop();
    this.state = 'outdated';
  }

  // ---- the socket ----

  #connect(): void {
    this.#clearTimers();
    if (this.#isClosed) return;
    if (this.state !== 'slow') this.state = 'connecting';
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => this.#hello();
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(event.data)) as FromServer);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#retry();
    };
    // Some networks neither open nor close, and a proxy may try a node that hangs.
    const longest = Math.min(DEAD_MS * 2 ** (this.#attempts - 1), MAX_DEAD_MS);
    this.#later(Math.max(DEAD_MS, longest), () => this.#retry());
  }

  #drop(): void {
    this.#clearTimers();
    this.#isWelcome = false;
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
    const longest = BACKOFF_MS[Math.min(this.#attempts, BACKOFF_MS.length - 1)] ?? 8000;
    const delay = longest * (0.5 + Math.random() / 2); // Clients don't come all at once.
    this.#attempts += 1;
    this.state = 'reconnecting';
    this.#later(delay, () => this.#connect());
  }

  #end(reason: string): void {
    this.#drop();
    this.state = 'outdated';
    for (const command of this.#pending.values()) {
      command.reject(new Refusal({ code: 'outdated', message: reason, hint: '' }));
    }
    this.#pending.clear();
  }

  #hello(): void {
    this.#send({ type: 'hello', protocol: PROTOCOL, token: this.#token });
  }

  #send(message: FromClient): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #follow(match: string): void {
    const found = this.#subscriptions.get(match);
    if (!found) return;
    const { token, others, after } = found;
    this.#send({
      type: 'follow',
      match,
      token,
      after,
      with_state: false,
      ...(others.length ? { others } : {}),
    });
  }

  // ---- messages ----

  #receive(message: FromServer): void {
    switch (message.type) {
      case 'welcome':
        this.#welcome(message.ping_ms);
        break;
      case 'pong':
        this.#pong(message.sent, message.now);
        break;
      case 'snapshot':
      case 'changes':
        this.#update(message);
        break;
      case 'signal':
      case 'said':
      case 'presence':
        this.#subscriptions.get(message.match)?.listener(message);
        break;
      case 'lobby':
      case 'seeking':
      case 'challenges':
        this.#lobby.listener(message);
        break;
      case 'chat':
        if (message.match) this.#subscriptions.get(message.match)?.listener(message);
        else for (const listener of this.friendListeners) listener(message);
        break;
      case 'ack':
        this.#pending.get(message.id)?.resolve(message.seq);
        this.#pending.delete(message.id);
        break;
      case 'error':
        this.#refused(message);
        break;
      case 'bye':
        if (message.code === 'suspended') this.isSuspended = true;
        if (['other_protocol', 'suspended'].includes(message.code)) this.#end(message.code);
        break;
      default: // Ignore types from a newer server.
    }
  }

  #welcome(pingMs: number): void {
    this.#clearTimers();
    this.#isWelcome = true;
    this.#attempts = 0;
    this.#pingMs = pingMs;
    this.state = 'open';
    for (const match of this.#subscriptions.keys()) this.#follow(match);
    if (this.#lobby.what !== 'nothing') this.#send({ type: 'lobby', what: this.#lobby.what });
    for (const { message } of this.#pending.values()) this.#send(message);
    this.#unsent = new Map();
    this.#ping();
  }

  #update(update: Snapshot | Changes): void {
    const found = this.#subscriptions.get(update.match);
    if (!found) return;
    if (update.type === 'changes') {
      // Ignore what was seen, and changes for the seat followed before.
      if (found.after === null || update.seq <= found.after) return;
      if (update.after > found.after) {
        found.after = null; // A gap, which should never happen: ask for a snapshot.
        this.#follow(update.match);
        return;
      }
    }
    found.after = update.seq;
    found.listener(update);
  }

  #refused(message: ErrorMessage): void {
    const command = message.id ? this.#pending.get(message.id) : undefined;
    if (TRANSIENT.has(message.code)) {
      this.#retry(); // The command stays pending.
    } else if (message.id && command) {
      this.#pending.delete(message.id);
      command.reject(new Refusal(message));
    } else if (message.match) {
      this.#subscriptions.get(message.match)?.listener(message);
    } else if (!this.#isWelcome) {
      this.#notWelcome(message.code);
    }
  }

  /** Is another user from now on, whose matches may look different. */
  #become(token: string): void {
    this.#token = token;
    for (const found of this.#subscriptions.values()) found.after = null;
  }

  #notWelcome(code: string): void {
    if (code === 'unauthorized' && this.#token) {
      // The server has forgotten us. Seats have tokens of their own, and everybody may watch.
      this.#become('');
      this.#hello();
      this.onForgotten();
    } else if (code === 'suspended') {
      this.isSuspended = true;
      this.#end(code);
    } else if (code === 'bad_request') this.#end(code);
    else this.#retry();
  }

  // ---- heartbeat ----

  #ping(): void {
    this.#clearTimers();
    this.#send({ type: 'ping', sent: localNow() });
    this.#later(SLOW_MS, () => (this.state = 'slow'));
    this.#later(this.#deadMs, () => {
      this.#deadMs = Math.min(2 * this.#deadMs, MAX_DEAD_MS);
      this.#retry();
    });
  }

  #pong(sent: number, now: number): void {
    this.#clearTimers();
    const received = localNow();
    this.clock.add(sent, received, now);
    if (received - sent < SLOW_MS) this.#deadMs = DEAD_MS;
    this.latency = this.clock.latency;
    this.state = 'open';
    // Nobody waits in a page that isn't seen, and a phone's radio can sleep meanwhile.
    const isHidden = globalThis.document?.hidden ?? false;
    this.#later(isHidden ? HIDDEN_PING_MS : this.#pingMs, () => this.#ping());
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
