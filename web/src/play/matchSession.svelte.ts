// An open match page: the connection, the match, the move being built, and the seat that looks. In a
// hot-seat match the browser holds several seats and follows the one to move; where seats have
// secrets, a screen asks to hand over the device first.
import { sendCommand } from '../api/endpoints/matches';
import type { Sign } from '../board/boardContext';
import { BoardModel } from '../board/boardModel.svelte';
import { loadBoard } from '../board/gameModule';
import type { Command, Connection } from '../api/connection.svelte';
import { pulse } from '../ui/haptics';
import { ACTIONS, leftMs, MatchState, playCommand } from '../board/match.svelte';
import { Pacer } from './pacing';
import { newId, Refusal } from '../api/refusal';
import { settings } from '../app/settings.svelte';
import { Talk } from './talk.svelte';
import type {
  Changes,
  ChatMessage,
  ClockInfo,
  ErrorMessage,
  LegalMove,
  Move,
  Snapshot,
  View,
} from '../api/wire';

/** How long a partner's sign is shown, in milliseconds. */
export const SIGN_MS = 4000;
/** Delay before loading a board is tried again. */
const RETRY_MS = 1000;
/** With less time than this on the clock nothing is held back. */
const SHORT_MS = 20_000;
/** Undefined in tests. */
const page = globalThis.document as Document | undefined;

export class MatchSession extends BoardModel {
  readonly id: string;
  readonly match = new MatchState();
  /** What the players say. */
  readonly talk: Talk;
  /** Gets the messages of the chat, once it is shown. */
  onChat: ((message: ChatMessage) => void) | null = null;
  /** How often we have muted or blocked somebody here: the chat is read again then. */
  peaceChanges = $state(0);
  /** Whether a seat was taken, and what it sees isn't here yet. */
  isEntering = $state(false);
  /** The seat that must take the device before anything is shown. */
  handOverTo = $state<number | null>(null);
  /** The seats of this browser, with their tokens. */
  seats = $state.raw<Record<string, string>>({});

  readonly isHotseat = $derived(Object.keys(this.seats).length > 1);
  /** Partners' signs that are still shown. */
  signs = $state.raw<Sign[]>([]);
  /** The clocks of the newest update, which may not be shown yet. */
  #newestClocks = $state.raw<ClockInfo | null>(null);
  readonly clocks = $derived(this.#newestClocks ?? this.match.document?.clocks);
  #lastSeen: number | null = null;
  #signCount = 0;

  /** Whether somebody elsewhere can see signs. */
  readonly canSign = $derived(
    !this.isHotseat &&
      this.match.seat !== null &&
      this.match.stage === 'playing' &&
      this.match.seats.some((seat, number) => seat.who === 'person' && number !== this.match.seat),
  );

  /** Whether there is somebody elsewhere to talk to, also after the match. */
  readonly canTalk = $derived(
    !this.isHotseat &&
      this.match.seat !== null &&
      this.match.stage !== 'open' &&
      this.match.seats.some((seat, number) => seat.who === 'person' && number !== this.match.seat),
  );

  get game(): string {
    return this.match.document?.info.game ?? '';
  }
  get view(): View | null {
    return this.match.view;
  }
  get moves(): Move[] {
    return this.match.moves;
  }
  get legal(): LegalMove[] {
    return this.match.legal;
  }
  /** At a shared screen, the next player's view may still have to come. */
  override get isBusy(): boolean {
    return this.isWaiting || this.match.seat !== this.#following;
  }
  protected override get playsAll(): boolean {
    return this.isHotseat;
  }
  #pacer = new Pacer<Changes>(
    (update) => this.#show(update),
    () => (this.#isInHurry() ? 0 : settings.pace),
  );
  #connection: Connection;
  #following = $state<number | null>(null);
  #isLoading = false;
  #isClosed = false;

  /** Called when the token of a seat has ended, and the user's own is used instead. */
  onSeatEnded: ((seat: number) => void) | null = null;

  /** The user's token, which speaks for a seat that was taken on another device. */
  #ownToken: string;

  constructor(connection: Connection, id: string, seats: Record<string, string>, ownToken = '') {
    super();
    this.#connection = connection;
    this.#ownToken = ownToken;
    this.id = id;
    this.talk = new Talk(id, (what) => this.#connection.say(id, what));
    this.seats = seats;
    const first = Object.keys(seats)[0];
    this.#follow(first === undefined ? null : Number(first));
    page?.addEventListener('visibilitychange', this.catchUp);
  }

  close(): void {
    this.#isClosed = true;
    this.#pacer.clear();
    page?.removeEventListener('visibilitychange', this.catchUp);
    this.#connection.unfollow(this.id);
  }

  /** Adds a seat to this browser, and follows the match as that seat. */
  addSeat(seat: number, token: string): void {
    this.isEntering = true;
    this.seats = { ...this.seats, [seat]: token };
    this.#follow(seat);
  }

  /** The device has been handed over. */
  takeOver(): void {
    if (this.handOverTo !== null) this.#follow(this.handOverTo);
  }

  /** Shows everything that has arrived: the player acts, or looks elsewhere. */
  readonly catchUp = (): void => this.#pacer.drain();

  // ---- moves ----

  protected async submit({ action }: LegalMove): Promise<boolean> {
    pulse('move');
    return this.#send(playCommand(this.match.document!, action));
  }

  protected override async ask(move: string): Promise<void> {
    const seq = this.match.document?.seq;
    if (seq !== undefined) await this.do({ type: 'play', move, at_seq: seq });
  }

  protected override misfit(what: string): Refusal {
    const code = this.match.isMyTurn ? 'conflict' : 'not_your_turn';
    return new Refusal({ code, message: `${what} no longer fits`, hint: '' });
  }

  /** Shows partners something, such as a cell. */
  sign(what: string): void {
    this.#connection.sign(this.id, what);
  }

  /** Sends a command; returns whether it succeeded, and keeps the refusal if not. */
  async do(command: Command): Promise<boolean> {
    this.catchUp();
    let isDone = false;
    await this.work(async () => {
      const isHere = await this.#send(command);
      isDone = true;
      return isHere;
    });
    return isDone;
  }

  /** Sends a command, and says whether the position that it brings is here. */
  async #send(command: Command): Promise<boolean> {
    const seq = await this.#connection.do(this.id, command);
    return (this.match.document?.seq ?? 0) >= seq;
  }

  /** Whether the move that is shown was never sent, because the connection is away. */
  get isUnsent(): boolean {
    return this.sending.length > 0 && this.#connection.hasUnsent(this.id);
  }
  /** Takes back a move that was never sent. */
  withdraw(): void {
    this.#connection.withdraw(this.id);
  }

  /** Makes an offer. The others at a shared screen have agreed out loud. */
  async offer(what: string): Promise<boolean> {
    if (!(await this.do({ type: 'offer', what }))) return false;
    for (const [seat, token] of Object.entries(this.seats)) {
      if (Number(seat) === this.match.seat) continue;
      try {
        const command = { type: 'respond', what, accept: true } as const;
        await sendCommand(token, this.id, { id: newId(), command });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error; // Already agreed: the offer is gone.
      }
    }
    return true;
  }

  // ---- updates ----

  #follow(seat: number | null): void {
    this.#following = seat;
    const token = seat === null ? '' : (this.seats[seat] ?? '');
    this.#connection.follow(
      this.id,
      (update) => {
        if (update.type === 'signal') {
          this.#showSign(update.seat, update.what);
          this.talk.see(update.seat, update.what);
          return;
        }
        if (update.type === 'presence') {
          this.match.online = update.seats;
          return;
        }
        if (update.type === 'chat') {
          this.onChat?.(update);
          return;
        }
        if (update.type === 'said') {
          this.talk.hear(update.seat, update.what);
          return;
        }
        if (update.type === 'changes') {
          this.#newestClocks = update.position.clocks;
          this.#pacer.push(update, isByBot(update));
        } else {
          this.#pacer.clear();
          this.#newestClocks = null;
          this.#show(update);
        }
      },
      token,
      Object.values(this.seats).filter((other) => other !== token),
    );
  }

  #show(update: Snapshot | Changes | ErrorMessage): void {
    if (update.type === 'error' && update.code === 'unauthorized' && this.#fallBack()) return;
    const { view: before, document } = this.match;
    const isAnswer = isAnswerTo(update, document?.seq ?? 0, this.sending.length > 0);
    this.match.apply(update);
    if (update.type === 'error' || this.match.document?.seat !== this.#following) {
      if (update.type !== 'snapshot') return;
    }
    if (this.#following === null && this.match.seat !== null && this.#ownToken) {
      this.#following = this.match.seat;
      this.seats = { [this.match.seat]: this.#ownToken };
    }
    this.handOverTo = null;
    if (this.match.seat === this.#following) this.isEntering = false;
    this.#findNewMoves(update.type === 'changes' ? before : null);
    void this.#loadModule();
    this.#followMover();
    if (isAnswer || !this.isWaiting) this.settle();
    else this.offerMoves();
  }

  /** Follows by the user's own token if that of the seat has ended, say with a new password. */
  #fallBack(): boolean {
    const seat = this.#following;
    if (seat === null || !this.#ownToken || this.seats[seat] === this.#ownToken) return false;
    this.seats = { ...this.seats, [seat]: this.#ownToken };
    this.onSeatEnded?.(seat);
    this.#follow(seat);
    return true;
  }

  /** Whether to show everything at once: nobody looks, or our clock is running out. */
  #isInHurry(): boolean {
    if (page?.hidden) return true;
    const { seat } = this.match;
    if (!this.clocks || seat === null) return false;
    const left = leftMs(this.clocks, seat, this.#connection.clock.at());
    return left !== null && left < SHORT_MS;
  }

  /** Finds which moves are new, whichever seat looks and however they arrived. */
  #findNewMoves(before: View | null): void {
    const { moves } = this.match;
    const last = moves.at(-1)?.seq ?? 0;
    const seen = this.#lastSeen;
    this.#lastSeen = last;
    if (seen === null || last === seen) return;
    this.wasUndone = last < seen;
    this.viewBefore = before;
    this.newMoves = moves.filter((move) => move.seq > seen);
  }

  /** Shows a partner's sign for a while; a newer one replaces it. */
  #showSign(seat: number, what: string): void {
    const sign = { seat, what, number: ++this.#signCount };
    this.signs = [...this.signs.filter((one) => one.seat !== seat), sign];
    setTimeout(() => (this.signs = this.signs.filter((one) => one !== sign)), SIGN_MS);
  }

  /** Loads the game's board, retrying while offline. */
  async #loadModule(): Promise<void> {
    const game = this.match.document?.info.game;
    if (!game || this.isModuleLoaded || this.#isLoading) return;
    this.#isLoading = true;
    while (!this.isModuleLoaded && !this.#isClosed) {
      try {
        this.module = await loadBoard(game);
        this.isModuleLoaded = true;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.offerMoves();
  }

  /** In a hot-seat match, follows the seat to move. */
  #followMover(): void {
    const { toMove, seat, document } = this.match;
    if (!this.isHotseat || toMove === null || toMove === seat || !document) return;
    if (!(String(toMove) in this.seats)) return;
    if (document.info.has_secrets) this.handOverTo = toMove;
    else this.#follow(toMove);
  }
}

/** Whether an update brings another position; what others offer leaves a move on its way where it is. */
function isAnswerTo(
  update: Snapshot | Changes | ErrorMessage,
  seq: number,
  isMove: boolean,
): boolean {
  if (update.type === 'snapshot') return update.document.seq !== seq;
  if (update.type === 'error') return false;
  return !isMove || update.events.some(({ kind }) => ACTIONS.has(kind) || kind === 'undone');
}

/** Whether an update is a bot's action. */
function isByBot({ events, position }: Changes): boolean {
  return events.some(({ kind, seat }) => {
    const player = seat === null || seat === undefined ? undefined : position.seats[seat];
    return ACTIONS.has(kind) && (player?.who === 'bot' || Boolean(player?.stand_in));
  });
}
