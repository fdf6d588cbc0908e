// A match as this page knows it: the last position, the moves that stand, clocks and offers. It is
// told by the line, and knows no rules: what can be played is what the server has sent.
import type { Command, News } from './line.svelte';
import type { ClocksTold, MatchDocument, MoveTold, OfferTold, PositionTold, SeatTold } from './wire';

/** An action that can be played: its number, and its text. */
export interface Legal {
  action: number;
  move: string;
}

/** What every game's view has beside what is its own. */
export interface View {
  game: string;
  version: number;
  options: Record<string, boolean | number | string>;
  seat: number | null;
  to_move: number;
  legal: Legal[];
  sentence: string;
  seats: { label: string; score: number | null; [more: string]: unknown }[];
  board: Record<string, unknown>;
}

/** Something that happened, as it is told to people and to boards that show how. */
export interface Happening {
  seq: number;
  kind: string;
  seat: number | null;
  move: string | null;
}

type Event = Record<string, unknown> & { seq: number; kind: string; at: number };

const ACTIONS = new Set(['played', 'drawn', 'minute_over']);

export class MatchState {
  /** All that is known; null before the first word. */
  document = $state.raw<MatchDocument | null>(null);
  /** What happened with the last news; empty after a snapshot. */
  happened = $state.raw<Happening[]>([]);
  /** Why there is nothing: the code of a refusal, such as `not_found`. */
  problem = $state<string | null>(null);

  readonly view = $derived(this.document ? (this.document.view as unknown as View) : null);
  readonly stage = $derived(this.document?.stage ?? null);
  readonly seat = $derived(this.document?.seat ?? null);
  readonly seats = $derived<SeatTold[]>(this.document?.seats ?? []);
  readonly moves = $derived<MoveTold[]>(this.document?.moves ?? []);
  /** The seat that is to play, if play goes on; null for chance, in a pause and at the end. */
  readonly toMove = $derived.by(() => {
    const mover = this.view?.to_move ?? -1;
    return this.stage === 'playing' && mover >= 0 ? mover : null;
  });
  readonly isMyTurn = $derived(
    this.toMove !== null && this.toMove === this.seat && !this.seats[this.toMove]?.stand_in,
  );
  readonly legal = $derived<Legal[]>(this.isMyTurn ? (this.view?.legal ?? []) : []);
  readonly isOver = $derived(this.stage === 'over' || this.stage === 'gone');
  /** What others offer and this seat has not answered. */
  readonly asked = $derived<OfferTold[]>(
    this.seat === null
      ? []
      : (this.document?.offers ?? []).filter((offer) => !offer.yes.includes(this.seat ?? -1)),
  );
  /** What this seat offers, or has agreed to, and others have not answered. */
  readonly offered = $derived<OfferTold[]>(
    (this.document?.offers ?? []).filter((offer) => offer.yes.includes(this.seat ?? -1)),
  );
  /** Whether the last action that stands and was nobody's luck is of this seat, in this turn. */
  readonly canTakeBack = $derived.by(() => {
    const last = this.moves.at(-1);
    return this.stage === 'playing' && this.isMyTurn && last?.seat === this.seat && !last.by_clock;
  });

  /** Takes in what the line tells. */
  take(news: News): void {
    if (news.type === 'refused') {
      this.problem = news.code;
    } else if (news.type === 'snapshot') {
      this.problem = null;
      this.happened = [];
      this.document = news.document;
    } else if (news.type === 'changes' && this.document) {
      this.#change(news.events as Event[], news.position);
    }
  }

  #change(events: Event[], position: PositionTold): void {
    if (!this.document) return;
    let { moves, salts, secret } = this.document;
    for (const event of events) {
      if (ACTIONS.has(event.kind)) moves = [...moves, moveOf(event)];
      if (event.kind === 'undone') moves = moves.filter((move) => move.seq <= Number(event['to_seq']));
      if (event.kind === 'salted') salts = [...salts, String(event['salt'])];
      if (event.kind === 'revealed') secret = String(event['secret']);
    }
    this.happened = events.map((event) => ({
      seq: event.seq,
      kind: event.kind,
      seat: (event['seat'] as number | null | undefined) ?? null,
      move: (event['move'] as string | null | undefined) ?? null,
    }));
    this.document = { ...this.document, ...position, moves, salts, secret };
  }
}

function moveOf(event: Event): MoveTold {
  return {
    seq: event.seq,
    at: event.at,
    seat: (event['seat'] as number | null) ?? null,
    move: (event['move'] as string | null) ?? null,
    spent_ms: Number(event['spent_ms'] ?? 0),
    by_clock: event.kind === 'minute_over',
    action: (event['action'] as number | undefined) ?? null,
  };
}

/** Milliseconds that a seat has left at a time of the server's clock; null without a clock. */
export function leftMs(clocks: ClocksTold, seat: number, now: number): number | null {
  const left = clocks.left_ms[seat];
  if (left === undefined) return null;
  if (clocks.running !== seat) return left;
  const ends = clocks.flag_at ?? clocks.since + left;
  return Math.max(0, ends - now);
}

/** Milliseconds left of the minute that all share; null if none runs. */
export function minuteLeftMs(clocks: ClocksTold, now: number): number | null {
  if (clocks.minute_left_ms !== null) return clocks.minute_left_ms;
  return clocks.minute_ends === null ? null : Math.max(0, clocks.minute_ends - now);
}

/** The command that plays an action, if nothing has changed since the page saw the state. */
export function playCommand(document: MatchDocument, action: number): Command {
  return { do: 'play', move: action, at_seq: document.seq };
}
