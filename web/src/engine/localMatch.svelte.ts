// A match that needs no server, of a game without chance and secrets: the rules and the bot are those
// of the game's engine. The rules run here, where they take microseconds; the bot thinks in a worker.
import { BoardModel } from '../board/boardModel.svelte';
import type { GameModule } from '../board/gameModule';
import { choose, randomSeed } from './choose';
import { EngineModule, type Place } from './module';
import type { SearchResult } from './types';
import type { LocalBoard, LocalGame } from './localGames';
import type { EngineTask, LegalMove, Move, View } from '../api/wire';

/** `to_move` in a position that is over. */
const OVER = -2;

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

export class LocalMatch extends BoardModel {
  readonly game: string;
  readonly seat: number;
  readonly #setup: LocalSetup;
  readonly #task: EngineTask;
  readonly #state: Place;
  readonly #listed: Place;
  readonly #returns: Place;
  /** The states before each action. */
  #past: { state: Uint8Array; moves: Move[] }[] = [];
  #isClosed = false;
  view = $state.raw<View | null>(null);
  moves = $state.raw<Move[]>([]);
  /** The bot's level, which may change at any time. */
  level = $state('');

  readonly isOver = $derived(this.view?.to_move === OVER);
  readonly canUndo = $derived(
    !this.isThinking && this.moves.some(({ seat }) => seat === this.seat),
  );
  /** Whether what would be undone is in the turn that the person is still in. */
  readonly isInTurn = $derived.by(
    () => !this.isThinking && this.view?.to_move === this.seat && this.lastSeat === this.seat,
  );
  /** The rules run here: only the bot keeps one waiting. */
  get isThinking(): boolean {
    return this.isWaiting;
  }
  get legal(): LegalMove[] {
    const isOurs = this.view?.to_move === this.seat && !this.isThinking;
    return isOurs ? (this.view?.legal ?? []) : [];
  }

  constructor(setup: LocalSetup) {
    super();
    this.#setup = setup;
    this.game = setup.game;
    this.module = setup.module;
    this.seat = setup.seat;
    this.level = setup.level;
    this.isModuleLoaded = true;
    const [task] = Object.values(setup.board.levels);
    if (!task) throw new Error('There is no level to play against.');
    this.#task = task;
    const { rules, board } = setup;
    const start = Uint8Array.from(atob(board.start), (char) => char.charCodeAt(0));
    rules.clear();
    this.#listed = rules.allocate('int32', task.actions);
    this.#returns = rules.allocate(rules.description.scratch['weights'] ?? 'float64', task.actions);
    this.#state = rules.stateOf(start);
    this.#show();
  }

  /** The returns by seat; empty before the end. */
  get returns(): number[] {
    if (!this.isOver) return [];
    const { rules } = this.#setup;
    rules.call('score', this.#state, this.#returns);
    return Array.from(rules.read(this.#returns).subarray(0, this.#task.seats));
  }

  /** Lets the bot move first, where it does. */
  start(): Promise<void> {
    return this.work(() => this.#answer());
  }

  close(): void {
    this.#isClosed = true;
  }

  protected submit({ action }: LegalMove): Promise<void> {
    this.confirm();
    this.#apply(action);
    return this.#answer();
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
    while (!this.#isClosed && this.view && this.view.to_move >= 0) {
      if (this.view.to_move === this.seat) return;
      const shown = new Promise((done) => setTimeout(done, this.#setup.pace));
      const [action] = await Promise.all([this.#choose(this.view.to_move), shown]);
      if (!this.#isClosed) this.#apply(action);
    }
  }

  async #choose(seat: number): Promise<number> {
    const { board, rules, think } = this.#setup;
    const moves = this.#legal().map(({ move }) => move);
    const state = btoa(String.fromCharCode(...rules.bytes(this.#state)));
    const level = board.levels[this.level] ?? this.#task;
    const task: EngineTask = { ...level, state, seat, moves };
    const found = await think(task, randomSeed());
    return found.win ?? choose(found.candidates, task.temperature);
  }

  #apply(action: number): void {
    this.viewBefore = this.view;
    this.#play(action);
    this.#show();
  }

  #play(action: number): void {
    const { rules } = this.#setup;
    const seat = rules.call('to_move', this.#state);
    const move = this.#format(action);
    this.#past.push({ state: rules.bytes(this.#state).slice(), moves: this.moves });
    rules.call('apply', this.#state, action);
    const seq = this.moves.length + 1;
    const played = { seq, at: 0, seat, move, spent_ms: 0, by_timer: false, action };
    this.moves = [...this.moves, played];
    this.newMoves = [played];
  }

  #format(action: number): string {
    const { local, board } = this.#setup;
    return local.formatMove(action, board.options);
  }

  #legal(): LegalMove[] {
    const { rules } = this.#setup;
    const count = rules.call('legal', this.#state, this.#listed);
    const actions = Array.from(rules.read(this.#listed).subarray(0, count));
    return actions.map((action) => ({ action, move: this.#format(action) }));
  }

  /** Shows the state as it is now. */
  #show(): void {
    const { game, version, rules, local, board } = this.#setup;
    const { seat } = this;
    const { options } = board;
    const to_move = rules.call('to_move', this.#state);
    const legal = to_move === seat ? this.#legal() : [];
    const numbers: ArrayLike<number | bigint> = rules.read(this.#state);
    const seen = local.view(Array.from(numbers, Number), options, legal);
    this.view = {
      game,
      version,
      options,
      seat,
      to_move,
      legal,
      sentence: '',
      outcome: null,
      ...seen,
    };
    this.builder.clear();
    this.offerMoves();
  }
}
