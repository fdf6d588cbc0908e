// A board that one plays on: a match, a lesson, an analysis, the openings, a match without a server. It
// holds the move being built, the moves that are on their way, what was tapped meanwhile, and why the
// last attempt was refused. Each kind of board says where its moves go, and what comes back.
import { Refusal } from '../api/refusal';
import type { LegalMove, Move, View } from '../api/wire';
import type { GameModule } from './gameModule';
import { MoveBuilder } from './moveBuilder.svelte';

/** An answer that takes longer than this is worth a word. */
export const SLOW_MS = 400;

export abstract class BoardModel {
  abstract readonly game: string;
  /** The position, as it was confirmed; null before the first. */
  abstract readonly view: View | null;
  /** All moves that led to it. */
  abstract readonly moves: Move[];
  /** What can be played in it now. */
  abstract readonly legal: LegalMove[];

  readonly builder = new MoveBuilder();
  /** The game's board; null until it is loaded, or if there is none. */
  module = $state.raw<GameModule | null>(null);
  isModuleLoaded = $state(false);
  /** The moves of the last update; empty when a position is first seen. */
  newMoves = $state.raw<Move[]>([]);
  /** The position before them; null if it is unknown. */
  viewBefore = $state.raw<View | null>(null);
  /** Whether the last update took moves back. */
  wasUndone = $state(false);
  /** The last refusal, until something else is done. */
  refusal = $state.raw<Refusal | null>(null);
  /** The move on its way, then those that were chosen after it and wait for its answer. */
  sending = $state.raw<readonly string[]>([]);
  /** Whether the answer takes so long that it is worth a word. */
  isSlow = $state(false);
  /** Whether an answer is awaited. */
  protected isWaiting = $state(false);
  #triedCell = $state<string | null>(null);
  #slowTimer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  /** How many moves there were when the move on its way was sent. */
  #movesBefore = $state(0);
  /** What was done on the board while an answer was awaited; it is done after that. */
  #early: { run: () => void; parts: string[] }[] = [];
  #latest = '';

  // ---- what is shown ----

  /** The position with the moves on its way, as far as the game can draw them. */
  readonly #ahead = $derived.by(() => {
    let { view } = this;
    const pending: { seat: number | null; move: string }[] = [];
    for (const move of this.sending) {
      const next = view && (this.module?.preview?.(view, move) ?? null);
      if (!next) break;
      pending.push({ seat: view?.to_move ?? null, move });
      view = next;
    }
    return { view, pending };
  });
  /** The position as it is drawn. */
  get drawn(): View | null {
    return this.#ahead.view;
  }
  /** The moves that are drawn before they are confirmed. */
  get pending(): readonly string[] {
    return this.#ahead.pending.map(({ move }) => move);
  }
  /** The moves on their way that the game can't draw. */
  get unseen(): readonly string[] {
    return this.sending.slice(this.pending.length);
  }
  /** The moves as they are drawn; those of hidden actions are null. */
  readonly #played = $derived.by((): { seat: number | null; move: string | null }[] => {
    const played = this.moves.filter(({ seat }) => seat !== null);
    if (this.moves.length > this.#movesBefore) return played; // It is among them already.
    return [...played, ...this.#ahead.pending];
  });
  /** Whether it is plain what may come after the moves on their way. */
  readonly #canGoOn = $derived.by(() => {
    const mover = this.drawn?.to_move ?? -1;
    const isOurs = mover === this.view?.to_move || this.playsAll;
    return this.pending.length > 0 && !this.unseen.length && mover >= 0 && isOurs;
  });
  readonly lastSeat = $derived(this.#played.at(-1)?.seat ?? null);
  /** The moves of the last turn, to be highlighted. */
  readonly last = $derived.by(() => {
    const from = this.#played.findLastIndex(({ seat }) => seat !== this.lastSeat);
    return this.#played.slice(from + 1).flatMap(({ move }) => (move === null ? [] : [move]));
  });

  /** What was said of the last attempt, with its explanation. */
  get said(): { readonly explanation?: Record<string, unknown> | null } | null {
    return this.refusal;
  }
  /** Whether the last attempt was refused. */
  get isRefused(): boolean {
    return this.refusal !== null;
  }
  /** The cell of the refused attempt, then the cells that show why. */
  readonly refusedCells = $derived.by(() => {
    if (!this.isRefused) return [];
    const cells = this.said?.explanation?.['cells'];
    const tried = this.#triedCell === null ? [] : [this.#triedCell];
    return [...new Set([...tried, ...(Array.isArray(cells) ? cells.map(String) : [])])];
  });

  // ---- playing ----

  /** Whether an answer is awaited: what is done on the board waits for the position that it brings. */
  get isBusy(): boolean {
    return this.isWaiting;
  }
  /** Whether every seat is played here. */
  protected get playsAll(): boolean {
    return false;
  }
  /** Sends a move. Resolves to false if the position that it brings is still on its way. */
  protected abstract submit(move: LegalMove): Promise<boolean | void>;
  /** Asks why a move is illegal: the answer is a Refusal. */
  protected ask?(move: string): Promise<unknown>;

  /**
   * Selects parts of a move, and plays the move once it is complete. While an answer is awaited, they
   * wait for its position; the same again is a double click.
   */
  pick(...parts: string[]): Promise<void> {
    if (this.isBusy) {
      const waiting = this.#defer(parts.join(' '), () => this.#pickLate(parts), parts);
      if (waiting) this.#pickAhead(parts);
      return waiting ?? Promise.resolve();
    }
    this.dismiss();
    this.#latest = parts.join(' ');
    const complete = this.#choose(parts);
    return complete ? this.play(complete.action) : Promise.resolve();
  }

  #choose(parts: string[]): LegalMove | null {
    let complete: LegalMove | null = null;
    for (const part of parts) complete = this.builder.choose(part);
    return complete;
  }

  /** Shows what was picked while a move is on its way, as if that had been confirmed. */
  #pickAhead(parts: string[]): void {
    if (!this.#canGoOn) return;
    const complete = this.#choose(parts);
    if (!complete) return;
    this.sending = [...this.sending, complete.move];
    this.offerMoves();
  }

  async #pickLate(parts: string[]): Promise<void> {
    if (parts.every((part) => this.builder.can(part))) return this.pick(...parts);
    this.#early = [];
    this.refusal = this.misfit(parts.join(' '));
  }

  /** Why something doesn't fit that was picked before the position was here; null to pass over it. */
  protected misfit(what: string): Refusal | null {
    return new Refusal({ code: 'conflict', message: `${what} no longer fits`, hint: '' });
  }

  /** Plays an action. */
  async play(action: number): Promise<void> {
    const found = this.builder.legal.find((one) => one.action === action);
    const legal = found ?? this.legal.find((one) => one.action === action);
    if (!legal) return;
    const { move } = legal;
    if (this.isBusy) {
      await this.#defer(move, async () => {
        const again = this.legal.find((one) => one.move === move);
        if (again) await this.play(again.action);
      });
      return;
    }
    this.#latest ||= move;
    this.builder.clear(); // The parts would mean something else in the next position.
    await this.work(() => this.submit(legal), [move]);
  }

  /** Does something after the answer; the same twice is a double click, and null. */
  #defer(what: string, action: () => Promise<void>, parts: string[] = []): Promise<void> | null {
    const isDouble = what === this.#latest;
    this.#latest = what;
    if (isDouble) return null;
    return new Promise((done) => {
      this.#early.push({ run: () => void action().finally(done), parts });
    });
  }
  protected defer(what: string, action: () => Promise<void>): Promise<void> {
    return this.#defer(what, action) ?? Promise.resolve();
  }

  /** Forgets what was done on the board while an answer was awaited. */
  protected dropEarly(): void {
    this.#early = [];
  }

  /** Shows at a cell why a move is illegal; a legal one is not played. */
  async explain(move: string, cell: string | null): Promise<void> {
    if (!this.ask) return;
    if (this.isBusy) {
      // By then the cell may be one that can be chosen.
      const late = (): Promise<void> =>
        cell !== null && this.builder.can(cell) ? this.pick(cell) : this.explain(move, cell);
      return this.defer(`why ${move}`, late);
    }
    if (!this.legal.length || this.builder.allows(move)) return;
    await this.ask(move);
    this.#triedCell = cell;
  }

  /** Hides the reason of a refusal. */
  dismiss(): void {
    this.refusal = null;
    this.#triedCell = null;
  }

  // ---- on its way ----

  /** Asks for something, and keeps the refusal. `moves` are drawn meanwhile. */
  protected async work(
    ask: () => Promise<boolean | void>,
    moves: readonly string[] = [],
  ): Promise<void> {
    const number = ++this.#asked;
    this.dismiss();
    this.isWaiting = true;
    this.#movesBefore = this.moves.length;
    this.sending = moves;
    this.#stopSlowTimer();
    this.#slowTimer = setTimeout(() => (this.isSlow = true), SLOW_MS);
    this.offerMoves();
    let isHere = true;
    try {
      isHere = (await ask()) !== false;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#refuse(error);
    } finally {
      if (isHere && number === this.#asked) this.settle();
    }
  }

  #refuse(refusal: Refusal): void {
    this.#early = [];
    this.builder.clear();
    if (refusal.code !== 'withdrawn') this.refusal = refusal;
  }

  #stopSlowTimer(): void {
    clearTimeout(this.#slowTimer);
    this.isSlow = false;
  }

  /** The position is that after the moves on their way, or they were refused: nothing is pending. */
  protected confirm(): void {
    if (!this.sending.length) return;
    this.sending = [];
    this.builder.clear(); // What was picked ahead is picked again.
  }

  /** The answer is here: offers what is legal now, and does what was done on the board meanwhile. */
  protected settle(): void {
    this.isWaiting = false;
    this.#latest = '';
    this.#stopSlowTimer();
    this.confirm();
    this.offerMoves();
    while (this.#early.length && !this.isBusy) this.#early.shift()!.run();
    for (const { parts } of this.#early) if (parts.length) this.#pickAhead(parts);
  }

  /** Offers the moves that can be played; while one is on its way, those that may come after it. */
  protected offerMoves(): void {
    const next = this.#canGoOn ? (this.drawn?.legal ?? []) : this.legal;
    const isOpen = !this.pending.length || this.#canGoOn || this.playsAll;
    this.builder.offer(isOpen ? next : [], this.module?.split);
  }
}

/** A move of a list that has only what was played, and by whom. */
export function moveOf({ seat, move }: Pick<Move, 'seat' | 'move'>, place: number): Move {
  return { seq: place + 1, at: 0, seat, move, spent_ms: 0, by_timer: false, action: null };
}
