// A match that is open in the page: the line, the match, the move that is being built, and which of
// the seats of this device looks at it. On one screen the device holds several seats: the page
// follows as the one that is to move, behind a curtain if seats keep secrets under the options.
import type { Sign } from './aid';
import { command } from './api';
import { boardOf, type GameModule } from './boards';
import { MoveBuilder } from './builder.svelte';
import type { Command, Line } from './line.svelte';
import { Refusal } from './line.svelte';
import { MatchState, playCommand } from './match.svelte';
import { settings } from './settings.svelte';
import type { MoveTold } from './wire';

/** How long a sign is seen, in milliseconds. */
export const SIGN_MS = 4000;
/** After so long a board that did not come is asked for again. */
const AGAIN_MS = 1000;

export class Session {
  readonly id: string;
  readonly match = new MatchState();
  readonly builder = new MoveBuilder();
  /** The game's board; null while it is not known, or if there is none. */
  module = $state.raw<GameModule | null>(null);
  isModuleKnown = $state(false);
  /** What was refused last, until something else is done. */
  refusal = $state.raw<Refusal | null>(null);
  /** For which position something was asked and is not answered yet; null if nothing is. */
  #askedAt = $state<number | null>(null);
  #asked = 0;
  /** Whether the position that is shown waits for an answer: until then nothing more can be asked. */
  readonly isSending = $derived(this.#askedAt !== null && this.#askedAt === this.match.document?.seq);
  /** The seat that is to take the device; nothing is shown until it says so. */
  curtain = $state<number | null>(null);
  /** Seats of this device, with their tokens. */
  seats = $state.raw<Record<string, string>>({});

  readonly isShared = $derived(Object.keys(this.seats).length > 1);
  /** The move that waits for a second click. */
  readonly waiting = $derived(settings.confirm ? this.builder.complete : null);
  /** The moves of the last turn, to be marked. */
  readonly last = $derived.by(() => {
    const moves = this.match.moves.filter((move) => move.seat !== null);
    const end = moves.at(-1);
    const from = moves.findLastIndex((move) => move.seat !== end?.seat);
    return moves.slice(from + 1).flatMap((move) => (move.move === null ? [] : [move.move]));
  });
  /** The cell at which something was tried, then those that show why it does not work. */
  readonly refused = $derived.by(() => {
    const cells = this.refusal?.explanation?.['cells'];
    const tried = this.refusal && this.#tried !== null ? [this.#tried] : [];
    return [...new Set([...tried, ...(Array.isArray(cells) ? cells.map(String) : [])])];
  });
  /** Signs of partners that are still to be seen. */
  signs = $state.raw<Sign[]>([]);
  /** The moves that came with the last news; none when a match is first seen. */
  fresh = $state.raw<MoveTold[]>([]);
  /** Whether the last news took moves back. */
  isUndone = $state(false);
  #tried = $state<string | null>(null);
  #told: number | null = null;
  #signCount = 0;

  /** Whether there is somebody elsewhere to show signs to. */
  readonly canSign = $derived(
    !this.isShared && this.match.seat !== null && this.match.stage === 'playing' &&
      this.match.seats.some((seat, number) => seat.who === 'person' && number !== this.match.seat),
  );

  #line: Line;
  #following: number | null = null;
  #isAsking = false;
  #isClosed = false;

  constructor(line: Line, id: string, seats: Record<string, string>) {
    this.#line = line;
    this.id = id;
    this.seats = seats;
    const first = Object.keys(seats)[0];
    this.#follow(first === undefined ? null : Number(first));
  }

  close(): void {
    this.#isClosed = true;
    this.#line.unfollow(this.id);
  }

  /** The device has one more seat: the page looks as that one. */
  addSeat(seat: number, token: string): void {
    this.seats = { ...this.seats, [seat]: token };
    this.#follow(seat);
  }

  /** Who was asked to take the device has it. */
  lift(): void {
    const seat = this.curtain;
    if (seat !== null) this.#follow(seat);
  }

  // ---- moves ----

  /** Chooses a part of a move, and plays what is complete. A second click on the same is none. */
  pick(part: string): void {
    if (this.isSending) return;
    this.refusal = null;
    const complete = this.builder.choose(part);
    if (complete && !settings.confirm) void this.play(complete.action);
  }

  /** Plays an action. */
  async play(action: number): Promise<void> {
    const document = this.match.document;
    if (!document || this.isSending) return;
    this.builder.clear(); // Before the answer: what was chosen means something else in the next position.
    await this.do(playCommand(document, action));
  }

  /** Plays a move by its text. The server knows more ways to write one, and why one cannot be played. */
  async playText(move: string): Promise<boolean> {
    const seq = this.match.document?.seq;
    return seq !== undefined && !this.isSending && this.do({ do: 'play', move, at_seq: seq });
  }

  /** Shows, at a cell, why a move cannot be played; one that can be played is left alone. */
  async why(move: string, cell: string | null): Promise<void> {
    if (!this.match.isMyTurn || this.builder.typed(move).length) return;
    await this.playText(move);
    this.#tried = cell;
  }

  /** Shows partners something, such as a cell. */
  sign(what: string): void {
    this.#line.sign(this.id, what);
  }

  /** Asks for something; whether it was done. The reason why not is kept to be shown. */
  async do(command: Command): Promise<boolean> {
    this.#askedAt = this.match.document?.seq ?? null;
    const number = ++this.#asked;
    this.refusal = null;
    this.#tried = null;
    try {
      await this.#line.do(this.id, command);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refusal = error;
      this.builder.clear();
      return false;
    } finally {
      if (number === this.#asked) this.#askedAt = null;
    }
  }

  /** Asks the others for something. Those at the same screen have agreed aloud. */
  async offer(what: string): Promise<boolean> {
    if (!(await this.do({ do: 'offer', what }))) return false;
    for (const [seat, token] of Object.entries(this.seats)) {
      if (Number(seat) === this.match.seat) continue;
      try {
        await command(this.id, token, { do: 'answer', what, yes: true });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error; // All have agreed already: nothing is offered.
      }
    }
    return true;
  }

  // ---- what comes ----

  #follow(seat: number | null): void {
    this.#following = seat;
    const token = seat === null ? '' : (this.seats[seat] ?? '');
    this.#line.follow(
      this.id,
      (news) => {
        if (news.type === 'signed') {
          this.#see(news.seat, news.what);
          return;
        }
        this.match.take(news);
        if (news.type === 'refused' || this.match.document?.seat !== this.#following) {
          if (news.type !== 'snapshot') return;
        }
        this.curtain = null;
        this.#listen();
        this.builder.offer(this.match.legal);
        void this.#know();
        this.#pass();
      },
      token,
    );
  }

  /** Keeps which moves are new, whichever seat looks and however they came. */
  #listen(): void {
    const { moves } = this.match;
    const last = moves.at(-1)?.seq ?? 0;
    const told = this.#told;
    this.#told = last;
    if (told === null || last === told) return;
    this.isUndone = last < told;
    this.fresh = moves.filter((move) => move.seq > told);
  }

  /** Shows a partner's sign for a while; a newer one takes its place. */
  #see(seat: number, what: string): void {
    const sign = { seat, what, number: ++this.#signCount };
    this.signs = [...this.signs.filter((one) => one.seat !== seat), sign];
    setTimeout(() => (this.signs = this.signs.filter((one) => one !== sign)), SIGN_MS);
  }

  /** Finds the board of the game, once; over a line that breaks, again and again until it is there. */
  async #know(): Promise<void> {
    const game = this.match.document?.table.game;
    if (!game || this.isModuleKnown || this.#isAsking) return;
    this.#isAsking = true;
    while (!this.isModuleKnown && !this.#isClosed) {
      try {
        this.module = await boardOf(game);
        this.isModuleKnown = true;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
    if (this.module?.split) this.builder.offer(this.match.legal, this.module.split);
  }

  /** On one screen: lets the seat look that is to move. */
  #pass(): void {
    const { toMove, seat, document } = this.match;
    if (!this.isShared || toMove === null || toMove === seat || !document) return;
    if (!(String(toMove) in this.seats)) return;
    if (document.table.has_secrets) this.curtain = toMove;
    else this.#follow(toMove);
  }
}
