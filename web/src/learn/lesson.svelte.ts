// A step of a lesson, or a puzzle, while somebody plays it. The server judges each action and keeps
// nothing: it gets all that was played in the step, and answers with the position after it.
import { loadBoard, type GameModule } from '../board/gameModule';
import type { MatchEvent, View } from '../board/match.svelte';
import { MoveBuilder } from '../board/moveBuilder.svelte';
import { settings } from '../app/settings.svelte';
import type { AttemptResponse, LessonMove, Move } from '../api/wire';

/** What the server says of a step. */
export type Answer = Pick<
  AttemptResponse,
  'seat' | 'turn' | 'kept' | 'can_undo' | 'view' | 'moves' | 'explanation'
> & { status: AttemptResponse['status'] | 'shown' };

export class Lesson<A extends Answer = AttemptResponse> {
  readonly game: string;
  readonly #ask: (actions: (number | string)[]) => Promise<A>;
  readonly builder = new MoveBuilder();
  module = $state.raw<GameModule | null>(null);
  isModuleLoaded = $state(false);
  /** What the server said last; null before that. */
  answer = $state.raw<A | null>(null);
  /** The position that is shown, which may be on its way to that of the answer. */
  view = $state.raw<View | null>(null);
  moves = $state.raw<Move[]>([]);
  newMoves = $state.raw<Move[]>([]);
  viewBefore = $state.raw<View | null>(null);
  /** Whether an action is being judged or shown. */
  isBusy = $state(false);
  /** Whether the learner has made a mistake or asked for a hint. */
  hasHelp = $state(false);
  #triedCell = $state<string | null>(null);
  /** The learner's actions that stand. */
  #kept: (number | string)[] = [];
  #isClosed = false;
  /** What was asked last. */
  #again: (() => Promise<A>) | null = null;

  readonly status = $derived(this.isBusy ? 'open' : (this.answer?.status ?? 'open'));
  /** What the server said of the last attempt, with its explanation. */
  readonly refusal = $derived(this.answer);
  readonly lastSeat = $derived(this.moves.findLast(({ seat }) => seat !== null)?.seat ?? null);
  readonly isRefused = $derived(
    !this.isBusy && this.answer?.explanation?.['legal'] === false && this.status !== 'wrong',
  );
  readonly refusedCells = $derived.by(() => {
    if (!this.isRefused) return [];
    const cells = this.answer?.explanation?.['cells'];
    const tried = this.#triedCell === null ? [] : [this.#triedCell];
    return [...new Set([...tried, ...(Array.isArray(cells) ? cells.map(String) : [])])];
  });
  /** The moves of the last turn, to be highlighted. */
  readonly last = $derived.by(() => {
    const moves = this.moves.filter(({ seat }) => seat !== null);
    const from = moves.findLastIndex(({ seat }) => seat !== moves.at(-1)?.seat);
    return moves.slice(from + 1).flatMap(({ move }) => (move === null ? [] : [move]));
  });
  readonly events = $derived(
    this.newMoves.map(({ seq, seat, move }): MatchEvent => {
      return { seq, kind: seat === null ? 'sampled' : 'played', seat, move };
    }),
  );
  readonly canUndo = $derived(!this.isBusy && this.answer?.can_undo === true);

  constructor(game: string, ask: (actions: (number | string)[]) => Promise<A>) {
    this.game = game;
    this.#ask = ask;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Loads the board and the position; throws a Refusal. */
  async load(): Promise<void> {
    const [module] = await Promise.all([loadBoard(this.game), this.#send([], false)]);
    this.module = module;
    this.isModuleLoaded = true;
    this.#offer();
  }

  /** Selects a part of a move, and plays the move once it is complete. */
  async pick(part: string): Promise<void> {
    this.dismiss();
    const complete = this.builder.choose(part);
    if (complete) await this.play(complete.action);
  }

  async play(action: number): Promise<void> {
    this.builder.clear();
    this.#triedCell = null;
    await this.#send([...this.#kept, action], true);
  }

  /** Tries a move that isn't legal, so that the server says why. */
  async explain(move: string, cell: string | null): Promise<void> {
    if (this.isBusy || !['open', 'refused'].includes(this.status)) return;
    if (this.builder.allows(move)) return;
    await this.#send([...this.#kept, move], true);
    this.#triedCell = cell;
  }

  /** Hides the reason of a refusal. */
  dismiss(): void {
    if (this.answer && this.isRefused) this.answer = { ...this.answer, explanation: null };
  }

  /** Takes back a wrong turn, or the last action of a turn that isn't over. */
  async back(): Promise<void> {
    await this.#send(this.status === 'wrong' ? this.#kept : this.#kept.slice(0, -1), false);
  }

  async restart(): Promise<void> {
    await this.#send([], false);
  }

  /** Asks once more for the words of the last answer, which are in another language now. */
  async reword(): Promise<void> {
    const { answer } = this;
    if (!answer || !this.#again || this.isBusy) return;
    const found = await this.#again();
    if (this.answer === answer) this.answer = found;
  }

  /** Shows what the server plays itself. */
  async reveal(ask: () => Promise<A>): Promise<void> {
    this.builder.clear();
    await this.#send([], true, ask);
  }

  async #send(
    actions: (number | string)[],
    isShown: boolean,
    ask = (): Promise<A> => this.#ask(actions),
  ): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.builder.offer([]);
    try {
      const answer = await ask();
      this.#again = ask;
      if (answer.status === 'wrong') this.hasHelp = true;
      this.#kept = actions.slice(0, answer.kept);
      const fresh = answer.moves.findIndex(({ view }) => view !== null);
      if (isShown && fresh >= 0) await this.#show(answer.moves, fresh);
      this.moves = answer.moves.map(moveOf);
      if (!isShown) this.newMoves = [];
      this.view = answer.view as unknown as View;
      this.answer = answer;
    } finally {
      this.isBusy = false;
      this.#offer();
    }
  }

  /** Shows the new actions one after the other. */
  async #show(moves: LessonMove[], fresh: number): Promise<void> {
    for (let place = fresh; place < moves.length && !this.#isClosed; place++) {
      if (place > fresh) await new Promise((done) => setTimeout(done, settings.pace));
      this.viewBefore = this.view;
      this.view = moves[place]!.view as unknown as View;
      this.moves = moves.slice(0, place + 1).map(moveOf);
      this.newMoves = this.moves.slice(-1);
      this.builder.offer([]);
    }
  }

  #offer(): void {
    const isOpen = this.status === 'open' || this.status === 'refused';
    this.builder.offer(isOpen ? (this.view?.legal ?? []) : [], this.module?.split);
  }
}

function moveOf({ seat, move }: LessonMove, place: number): Move {
  return { seq: place + 1, at: 0, seat, move, spent_ms: 0, by_timer: false, action: null };
}
