// A match as this page knows it: the position, the moves, clocks and offers. It knows no rules: what
// can be played is what the server has sent.
import type { Command, MatchUpdate } from '../api/connection.svelte';
import type {
  ClockInfo,
  Event,
  MatchDocument,
  Move,
  PendingOffer,
  Position,
  LegalMove,
  SeatInfo,
  View,
} from '../api/wire';

/** The kinds of events that are moves. */
export const ACTIONS: ReadonlySet<string> = new Set(['played', 'sampled', 'timer_expired']);

export class MatchState {
  /** Everything known; null before the first snapshot. */
  document = $state.raw<MatchDocument | null>(null);
  /** Why there is no document: the code of a refusal, such as `not_found`. */
  problem = $state<string | null>(null);

  /** The seats whose players are connected; null until the server has said it. */
  online = $state.raw<readonly number[] | null>(null);

  readonly view = $derived<View | null>(this.document?.view ?? null);
  readonly stage = $derived(this.document?.stage ?? null);
  readonly seat = $derived(this.document?.seat ?? null);
  readonly seats = $derived<SeatInfo[]>(this.document?.seats ?? []);
  readonly moves = $derived<Move[]>(this.document?.moves ?? []);
  /** The seat to move; null for chance, during a pause and at the end. */
  readonly toMove = $derived.by(() => {
    const mover = this.view?.to_move ?? -1;
    return this.stage === 'playing' && mover >= 0 ? mover : null;
  });
  readonly isMyTurn = $derived(
    this.toMove !== null && this.toMove === this.seat && !this.seats[this.toMove]?.stand_in,
  );
  readonly legal = $derived<LegalMove[]>(this.isMyTurn ? (this.view?.legal ?? []) : []);
  readonly isRated = $derived(this.document?.info.is_rated ?? false);
  readonly isOver = $derived(this.stage === 'finished' || this.stage === 'aborted');
  /** Others' offers that this seat has not answered. */
  readonly incomingOffers = $derived<PendingOffer[]>(
    this.seat === null
      ? []
      : (this.document?.offers ?? []).filter(
          (offer) => !offer.accepted_by.includes(this.seat ?? -1),
        ),
  );
  /** Offers that this seat made or accepted, and others have not answered. */
  readonly outgoingOffers = $derived<PendingOffer[]>(
    (this.document?.offers ?? []).filter((offer) => offer.accepted_by.includes(this.seat ?? -1)),
  );
  /** Whether this seat can undo its last action: at once, if the others agree, or not at all. */
  readonly undo = $derived(this.document?.undo ?? '');
  /** Whether the last action was this seat's, in this turn: then it is taken back on the board. */
  readonly canTakeBack = $derived(
    this.undo === 'free' && this.isMyTurn && this.moves.at(-1)?.seat === this.seat,
  );

  /** Whether a person is connected; null for bots, empty seats and ourselves. */
  isOnline(seat: number): boolean | null {
    const { who, left } = this.seats[seat] ?? {};
    if (!this.online || who !== 'person' || left || seat === this.seat) return null;
    return this.online.includes(seat);
  }

  /** Applies an update from the server. */
  apply(update: MatchUpdate): void {
    if (update.type === 'error') {
      this.problem = update.code;
    } else if (update.type === 'snapshot') {
      this.problem = null;
      this.document = update.document;
    } else if (update.type === 'changes' && this.document) {
      this.#change(update.events, update.position);
    }
  }

  /** Takes what a document reveals that was read apart; what has come meanwhile stays. */
  reveal(read: MatchDocument): void {
    const { info, moves, client_seeds, secret } = read;
    const isNewer = this.document !== null && this.document.seq > read.seq;
    this.document = isNewer ? { ...this.document!, info, moves, client_seeds, secret } : read;
  }

  #change(events: Event[], position: Position): void {
    if (!this.document) return;
    let { moves } = this.document;
    for (const event of events) {
      if (ACTIONS.has(event.kind)) moves = [...moves, moveOf(event)];
      if (event.kind === 'undone') moves = moves.filter((move) => move.seq <= (event.to_seq ?? 0));
    }
    this.document = { ...this.document, ...position, moves };
  }
}

function moveOf(event: Event): Move {
  return {
    seq: event.seq,
    at: event.at,
    seat: event.seat ?? null,
    move: event.move ?? null,
    spent_ms: event.spent_ms ?? 0,
    by_timer: event.kind === 'timer_expired',
    action: event.action ?? null,
  };
}

/** Milliseconds left on a seat's clock at a server time; null without a clock. */
export function leftMs(clocks: ClockInfo, seat: number, now: number): number | null {
  const left = clocks.remaining_ms[seat];
  if (left === undefined) return null;
  if (clocks.running !== seat) return left;
  const ends = clocks.flag_at ?? clocks.since + left;
  return Math.max(0, ends - now);
}

/** The time of a seat in a slow match. */
export interface SlowTime {
  /** What is left of its turn: null if it isn't to move, 0 or less once the reserve runs. */
  turnMs: number | null;
  reserveMs: number;
}

/** The time of a seat in a slow match; null in others. */
export function slowTime(clocks: ClockInfo, seat: number, now: number): SlowTime | null {
  const bank = clocks.bank_ms[seat];
  if (bank === undefined) return null;
  if (clocks.running !== seat || clocks.flag_at === null) return { turnMs: null, reserveMs: bank };
  const left = Math.max(0, clocks.flag_at - now);
  return { turnMs: left - bank, reserveMs: Math.min(bank, left) };
}

/** Milliseconds left on the clock that everybody shares; null if none runs. */
export function sharedClockLeftMs(clocks: ClockInfo, now: number): number | null {
  if (clocks.timer_remaining_ms !== null) return clocks.timer_remaining_ms;
  return clocks.timer_ends_at === null ? null : Math.max(0, clocks.timer_ends_at - now);
}

/** The command to play an action in the position that the page shows. */
export function playCommand(document: MatchDocument, action: number): Command {
  return { type: 'play', move: action, at_seq: document.seq };
}
