// A match that needs no server: the rules and the bot are those of the game's engine. The rules run
// here, where they take microseconds; the bot thinks in a worker.
import type { GameModule } from './boards';
import { choose, randomSeed } from './engine/choose';
import { EngineModule, type Place } from './engine/module';
import type { SearchResult } from './engine/types';
import type { LocalBoard, LocalGame } from './localGames';
import type { MatchEvent, View } from './match.svelte';
import { MoveBuilder } from './moveBuilder.svelte';
import type { EngineTask, Move } from './wire';

/** `to_move` of a position that is over. */
export const OVER = -2;

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
  readonly #state: Place;
  readonly #listed: Place;
  /** The states before each action. */
  #past: { state: Uint8Array; moves: Move[] }[] = [];
  #isClosed = false;
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
  /** The moves of the last turn, to be highlighted. */
  readonly last = $derived.by(() => {
    const from = this.moves.findLastIndex(({ seat }) => seat !== this.lastSeat);
    return this.moves.slice(from + 1).flatMap(({ move }) => (move === null ? [] : [move]));
  });
  readonly events = $derived(
    this.newMoves.map(({ seq, seat, move }): MatchEvent => ({ seq, kind: 'played', seat, move })),
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
    setup.rules.clear();
    this.#listed = setup.rules.allocate('int32', task.actions);
    this.#state = setup.rules.stateOf(
      Uint8Array.from(atob(task.state), (char) => char.charCodeAt(0)),
    );
    this.#show();
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
    this.#show();
  }

  async #answer(): Promise<void> {
    while (!this.#isClosed && this.view && this.view.to_move === 1 - this.seat) {
      this.isThinking = true;
      try {
        const shown = new Promise((done) => setTimeout(done, this.#setup.pace));
        const [action] = await Promise.all([this.#choose(this.view), shown]);
        if (!this.#isClosed) this.#apply(action);
      } finally {
        this.isThinking = false;
        this.#offer();
      }
    }
  }

  async #choose(view: View): Promise<number> {
    const { board, rules, think } = this.#setup;
    const task: EngineTask = {
      ...(board.levels[this.level] ?? this.#task),
      state: btoa(String.fromCharCode(...rules.bytes(this.#state))),
      seat: view.to_move,
      moves: view.legal.map(({ move }) => move),
    };
    const found = await think(task, randomSeed());
    return found.win ?? choose(found.candidates, task.temperature);
  }

  #apply(action: number): void {
    const { rules, local, board } = this.#setup;
    const state = rules.bytes(this.#state).slice();
    this.#past.push({ state, moves: this.moves });
    const move = local.formatMove(action, board.options);
    const seat = this.view?.to_move ?? 0;
    const seq = this.moves.length + 1;
    rules.call('apply', this.#state, action);
    const played = { seq, at: 0, seat, move, spent_ms: 0, by_timer: false, action };
    this.moves = [...this.moves, played];
    this.newMoves = [played];
    this.viewBefore = this.view;
    this.#show();
  }

  /** Shows the state as it is now. */
  #show(): void {
    const { game, version, rules, local, board } = this.#setup;
    const count = rules.call('legal', this.#state, this.#listed);
    const actions = Array.from(rules.read(this.#listed).subarray(0, count));
    const legal = actions.map((action) => ({
      action,
      move: local.formatMove(action, board.options),
    }));
    const seen = local.view(rules.read(this.#state), legal);
    const to_move = rules.call('to_move', this.#state);
    const { options } = board;
    this.view = { game, version, options, seat: this.seat, to_move, legal, sentence: '', ...seen };
    this.builder.clear();
    this.#offer();
  }

  #offer(): void {
    const isOurs = this.view?.to_move === this.seat && !this.isThinking;
    this.builder.offer(isOurs ? (this.view?.legal ?? []) : [], this.module.split);
  }
}
