// A match that needs no server: the rules and the bot are those of the game's engine. The rules run
// here, where they take microseconds; the bot thinks in a worker.
import type { GameModule } from '../board/gameModule';
import { choose, randomSeed } from './choose';
import { EngineModule, type Place } from './module';
import type { SearchResult } from './types';
import type { LocalBoard, LocalGame } from './localGames';
import type { Legal, MatchEvent, View } from '../board/match.svelte';
import { MoveBuilder } from '../board/moveBuilder.svelte';
import type { EngineTask, Move } from '../api/wire';

/** `to_move` where chance decides, and in a position that is over. */
const CHANCE = -1;
const OVER = -2;
/** How many worlds are tried, at most, to learn whether an action was seen, as in Python. */
const MAX_WORLDS = 32;
const MAX_TRIALS = 64;
const WORLDS_TO_BE_OPEN = 4;

/** What a match needs: the game, its board, its rules, and somebody who thinks. */
export interface LocalSetup {
  game: string;
  version: number;
  module: GameModule;
  local: LocalGame;
  rules: EngineModule;
  board: LocalBoard;
  /** The seat of the person who plays. */
  seat: number;
  level: string;
  think: (task: EngineTask, seed: bigint) => Promise<SearchResult>;
  /** How long an action of the bot is shown before the next, in milliseconds. */
  pace: number;
}

export class LocalMatch {
  readonly game: string;
  readonly module: GameModule;
  readonly seat: number;
  readonly builder: MoveBuilder;
  readonly #setup: LocalSetup;
  readonly #task: EngineTask;
  /** The state; what one seat knows of it; and room to try actions in. */
  readonly #state: Place;
  readonly #known: Place;
  readonly #tried: Place;
  readonly #listed: Place;
  readonly #numbers: Place;
  readonly #random: Place;
  /** The states before each action. */
  #past: { state: Uint8Array; moves: Move[] }[] = [];
  #isClosed = false;
  /** All actions, also those of which the person doesn't see what they were. */
  actions: number[] = [];
  view = $state.raw<View | null>(null);
  viewBefore = $state.raw<View | null>(null);
  moves = $state.raw<Move[]>([]);
  newMoves = $state.raw<Move[]>([]);
  isThinking = $state(false);
  /** The bot's level, which may change at any time. */
  level = $state('');

  readonly isOver = $derived(this.view?.to_move === OVER);
  readonly lastSeat = $derived(this.moves.at(-1)?.seat ?? null);
  readonly canUndo = $derived(
    !this.isThinking && this.moves.some(({ seat }) => seat === this.seat),
  );
  /** Whether what would be undone is in the turn that the person is still in. */
  readonly isInTurn = $derived.by(
    () => !this.isThinking && this.view?.to_move === this.seat && this.lastSeat === this.seat,
  );
  /** The moves of the last turn, to be highlighted. */
  readonly last = $derived.by(() => {
    const played = this.moves.filter(({ seat }) => seat !== null);
    const mover = played.at(-1)?.seat;
    const from = played.findLastIndex(({ seat }) => seat !== mover);
    return played.slice(from + 1).flatMap(({ move }) => (move === null ? [] : [move]));
  });
  readonly events = $derived(
    this.newMoves.map(({ seq, seat, move }): MatchEvent => {
      const kind = seat === null ? 'sampled' : 'played';
      return { seq, kind, seat, move };
    }),
  );

  constructor(setup: LocalSetup) {
    this.#setup = setup;
    this.game = setup.game;
    this.module = setup.module;
    this.seat = setup.seat;
    this.level = setup.level;
    this.builder = new MoveBuilder(setup.module.split);
    const [task] = Object.values(setup.board.levels);
    if (!task) throw new Error('There is no level to play against.');
    this.#task = task;
    const { rules, board } = setup;
    const start = Uint8Array.from(atob(board.start), (char) => char.charCodeAt(0));
    rules.clear();
    this.#listed = rules.allocate('int32', task.actions);
    this.#numbers = rules.allocate(rules.description.scratch['weights'] ?? 'float64', task.actions);
    this.#random = rules.allocate('uint64', 1);
    this.#state = rules.stateOf(start);
    this.#known = rules.stateOf(start);
    this.#tried = rules.stateOf(start);
    this.#settle();
    this.newMoves = [];
    this.#show();
  }

  /** The returns by seat; empty before the end. */
  get returns(): number[] {
    if (!this.isOver) return [];
    const { rules } = this.#setup;
    rules.call('score', this.#state, this.#numbers);
    return Array.from(rules.read(this.#numbers).subarray(0, this.#task.seats));
  }

  /** Lets the bot move first, where it does. */
  start(): Promise<void> {
    return this.#answer();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Selects a part of a move, and plays the move once it is complete. */
  async pick(part: string): Promise<void> {
    const complete = this.builder.choose(part);
    if (complete) await this.play(complete.action);
  }

  /** Plays an action of the person, and has the bot answer. */
  async play(action: number): Promise<void> {
    if (this.view?.to_move !== this.seat) return;
    this.#apply(action);
    await this.#answer();
  }

  /** Takes back the person's last action, and what the bot answered. */
  undo(): void {
    const place = this.moves.findLastIndex(({ seat }) => seat === this.seat);
    const before = this.#past[place];
    if (!before || this.isThinking) return;
    this.#setup.rules.bytes(this.#state).set(before.state);
    this.moves = before.moves;
    this.newMoves = [];
    this.#past.length = place;
    this.actions = this.actions.slice(0, place);
    this.#show();
  }

  async #answer(): Promise<void> {
    while (!this.#isClosed && this.view && this.view.to_move >= 0) {
      if (this.view.to_move === this.seat) return;
      this.isThinking = true;
      try {
        const shown = new Promise((done) => setTimeout(done, this.#setup.pace));
        const [action] = await Promise.all([this.#choose(this.view.to_move), shown]);
        if (!this.#isClosed) this.#apply(action);
      } finally {
        this.isThinking = false;
        this.#offer();
      }
    }
  }

  /** What the bot plays, who sees no more of the state than its seat does. */
  async #choose(seat: number): Promise<number> {
    const { board, rules, think } = this.#setup;
    const moves = this.#conceal(seat).legal.map(({ move }) => move);
    const state = btoa(String.fromCharCode(...rules.bytes(this.#known)));
    const level = board.levels[this.level] ?? this.#task;
    const task: EngineTask = { ...level, state, seat, moves };
    const found = await think(task, randomSeed());
    return found.win ?? choose(found.candidates, task.temperature);
  }

  #apply(action: number): void {
    this.newMoves = [];
    this.viewBefore = this.view;
    this.#play(action);
    this.#settle();
    this.#show();
  }

  /** Lets chance act until somebody is to move. */
  #settle(): void {
    const { rules } = this.#setup;
    while (rules.call('to_move', this.#state) === CHANCE) {
      const outcomes = this.#legal(this.#state);
      rules.call('chance', this.#state, this.#numbers);
      const chances = rules.read(this.#numbers).subarray(0, outcomes.length);
      let left = Math.random();
      const drawn = chances.findIndex((chance) => (left -= chance) < 0);
      this.#play(outcomes[drawn] ?? outcomes.at(-1) ?? 0);
    }
  }

  #play(action: number): void {
    const { rules, local, board } = this.#setup;
    const mover = rules.call('to_move', this.#state);
    const seat = mover < 0 ? null : mover;
    const text = local.formatMove(action, board.options, this.#read(this.#state));
    const isSeen = seat === this.seat || !board.isHidden || this.#isSeen(action, text);
    const move = isSeen ? text : null;
    this.#past.push({ state: rules.bytes(this.#state).slice(), moves: this.moves });
    rules.call('apply', this.#state, action);
    this.actions = [...this.actions, action];
    const seq = this.moves.length + 1;
    const seen = isSeen ? action : null;
    const played = { seq, at: 0, seat, move, spent_ms: 0, by_timer: false, action: seen };
    this.moves = [...this.moves, played];
    this.newMoves = [...this.newMoves, played];
  }

  /**
   * Whether the person can tell an action from all others, whichever of the worlds that are possible
   * for them is real: `is_seen` in Python.
   */
  #isSeen(action: number, text: string): boolean {
    const { rules, board, local } = this.#setup;
    const real = rules.bytes(this.#state).slice();
    const tryOut = (world: Uint8Array, tried: number): void => {
      rules.bytes(this.#tried).set(world);
      rules.call('apply', this.#tried, tried);
    };
    tryOut(real, action);
    const after = rules.bytes(this.#tried).slice();
    if (this.#isOpen(real) && this.#isOpen(after)) return true;
    const seen = this.#knownOf(after);
    let trials = 0;
    /** The texts of actions in a world after which the person would see the same. */
    const alike = (world: Uint8Array): string[] => {
      rules.bytes(this.#tried).set(world);
      const [numbers, actions] = [this.#read(this.#tried), this.#legal(this.#tried)];
      trials += actions.length;
      const found = actions.filter((one) => {
        tryOut(world, one);
        return this.#knownOf(rules.bytes(this.#tried)) === seen;
      });
      return found.map((one) => local.formatMove(one, board.options, numbers));
    };
    if (alike(real).length > 1) return false;
    for (let worlds = 0; worlds < MAX_WORLDS && (worlds < 1 || trials < MAX_TRIALS); worlds++) {
      const texts = alike(this.#sampled(real));
      if (texts.length > 1 || texts.some((one) => one !== text)) return false;
    }
    return true;
  }

  /** Whether nothing is hidden; what looks complete may still be one of several worlds. */
  #isOpen(state: Uint8Array): boolean {
    const { identity } = this.#setup.board;
    this.#setup.rules.bytes(this.#tried).set(state);
    const real = this.#read(this.#tried).slice(0, identity).join();
    return (
      this.#knownOf(state) === real &&
      Array.from({ length: WORLDS_TO_BE_OPEN }).every(() => {
        this.#sampled(state);
        return this.#read(this.#tried).slice(0, identity).join() === real;
      })
    );
  }

  /** What the person knows of a state, as text. */
  #knownOf(state: Uint8Array): string {
    this.#setup.rules.bytes(this.#tried).set(state);
    this.#concealTo(this.#tried, this.seat);
    return this.#read(this.#known).slice(0, this.#setup.board.identity).join();
  }

  /** A world that looks to the person as a state does. */
  #sampled(state: Uint8Array): Uint8Array {
    const { rules } = this.#setup;
    this.#knownOf(state);
    rules.readLong(this.#random)[0] = randomSeed();
    rules.call('resample', this.#known, this.seat, this.#random, this.#tried);
    return rules.bytes(this.#tried).slice();
  }

  #concealTo(state: Place, seat: number): void {
    const { rules } = this.#setup;
    rules.call('conceal', state, seat, this.#known);
    if (rules.has('rebuild_cache')) rules.call('rebuild_cache', this.#known);
  }

  #read(state: Place): number[] {
    const numbers: ArrayLike<number | bigint> = this.#setup.rules.read(state);
    return Array.from(numbers, Number);
  }

  #legal(state: Place): number[] {
    const { rules } = this.#setup;
    const count = rules.call('legal', state, this.#listed);
    return Array.from(rules.read(this.#listed).subarray(0, count));
  }

  /** The state as a seat knows it, and what that seat may play. */
  #conceal(seat: number): { state: number[]; legal: Legal[] } {
    const { rules, local, board } = this.#setup;
    this.#concealTo(this.#state, seat);
    const state = this.#read(this.#known);
    const isNext = rules.call('to_move', this.#known) === seat;
    const legal = (isNext ? this.#legal(this.#known) : []).map((action) => ({
      action,
      move: local.formatMove(action, board.options, state),
    }));
    return { state, legal };
  }

  /** Shows the state as it is now. */
  #show(): void {
    const { game, version, rules, local, board } = this.#setup;
    const { seat } = this;
    const { options } = board;
    const { state, legal } = this.#conceal(seat);
    const seen = local.view(state, options, legal);
    const to_move = rules.call('to_move', this.#state);
    this.view = { game, version, options, seat, to_move, legal, sentence: '', ...seen };
    this.builder.clear();
    this.#offer();
  }

  #offer(): void {
    const isOurs = this.view?.to_move === this.seat && !this.isThinking;
    this.builder.offer(isOurs ? (this.view?.legal ?? []) : [], this.module.split);
  }
}
