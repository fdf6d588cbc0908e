// A step of a lesson, or a puzzle, while somebody plays it. The server judges each action and keeps
// nothing: it gets all that was played in the step, and answers with the position after it.
import { BoardModel, moveOf } from '../board/boardModel.svelte';
import { loadBoard } from '../board/gameModule';
import type { Refusal } from '../api/refusal';
import { settings } from '../app/settings.svelte';
import type { AttemptResponse, LegalMove, Move, View } from '../api/wire';

/** What the server says of a step. */
export type Answer = Pick<
  AttemptResponse,
  'seat' | 'turn' | 'kept' | 'can_undo' | 'view' | 'moves' | 'explanation'
> & { status: AttemptResponse['status'] | 'shown' };

export class Lesson<A extends Answer = AttemptResponse> extends BoardModel {
  readonly game: string;
  readonly #ask: (actions: (number | string)[]) => Promise<A>;
  /** What the server said last; null before that. */
  answer = $state.raw<A | null>(null);
  /** The position that is shown, which may be on its way to that of the answer. */
  view = $state.raw<View | null>(null);
  moves = $state.raw<Move[]>([]);
  /** Whether the learner has made a mistake or asked for a hint. */
  hasHelp = $state(false);
  /** The learner's actions that stand. */
  #kept: (number | string)[] = [];
  #isClosed = false;
  /** What was asked last. */
  #again: (() => Promise<A>) | null = null;

  readonly status = $derived(this.isBusy ? 'open' : (this.answer?.status ?? 'open'));
  /** The server explains legal moves too. */
  override get said(): Refusal | A | null {
    return this.refusal ?? this.answer;
  }
  override get isRefused(): boolean {
    if (this.isBusy || this.status === 'wrong') return false;
    return this.refusal !== null || this.answer?.explanation?.['legal'] === false;
  }
  get legal(): LegalMove[] {
    const isOpen = !this.isBusy && (this.status === 'open' || this.status === 'refused');
    return isOpen ? (this.view?.legal ?? []) : [];
  }
  readonly canUndo = $derived(!this.isBusy && this.answer?.can_undo === true);

  constructor(game: string, ask: (actions: (number | string)[]) => Promise<A>) {
    super();
    this.game = game;
    this.#ask = ask;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Loads the board and the position; throws a Refusal. */
  async load(): Promise<void> {
    const [module] = await Promise.all([loadBoard(this.game), this.#jump([])]);
    this.module = module;
    this.isModuleLoaded = true;
    this.offerMoves();
  }

  protected submit({ action }: LegalMove): Promise<void> {
    return this.#show([...this.#kept, action]);
  }

  protected override ask(move: string): Promise<void> {
    return this.work(() => this.#show([...this.#kept, move]));
  }

  /** After a mistake, and at the end, nothing else is tried. */
  protected override misfit(what: string): Refusal | null {
    return this.status === 'open' ? super.misfit(what) : null;
  }

  override dismiss(): void {
    super.dismiss();
    if (this.isRefused) this.answer = { ...this.answer!, explanation: null };
  }

  /** Takes back a wrong turn, or the last action of a turn that isn't over. */
  async back(): Promise<void> {
    await this.#jump(this.status === 'wrong' ? this.#kept : this.#kept.slice(0, -1));
  }

  async restart(): Promise<void> {
    await this.#jump([]);
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
    if (!this.isBusy) await this.work(() => this.#show([], ask));
  }

  /** Shows the position after some actions at once. */
  async #jump(actions: (number | string)[]): Promise<void> {
    if (this.isBusy) return;
    await this.work(async () => {
      const ask = (): Promise<A> => this.#ask(actions);
      this.#accept(await ask(), actions, ask);
      this.newMoves = [];
    });
  }

  /** Shows what some actions bring, one after the other. */
  async #show(
    actions: (number | string)[],
    ask = (): Promise<A> => this.#ask(actions),
  ): Promise<void> {
    const answer = await ask();
    const { moves } = answer;
    const fresh = moves.findIndex(({ view }) => view !== null);
    for (let place = fresh; fresh >= 0 && place < moves.length && !this.#isClosed; place++) {
      if (place > fresh) await new Promise((done) => setTimeout(done, settings.pace));
      this.confirm();
      this.viewBefore = this.view;
      this.view = moves[place]!.view;
      this.moves = moves.slice(0, place + 1).map(moveOf);
      this.newMoves = this.moves.slice(-1);
      this.offerMoves();
    }
    this.#accept(answer, actions, ask);
  }

  #accept(answer: A, actions: (number | string)[], ask: () => Promise<A>): void {
    this.confirm();
    this.#again = ask;
    if (answer.status === 'wrong') this.hasHelp = true;
    this.#kept = actions.slice(0, answer.kept);
    this.moves = answer.moves.map(moveOf);
    this.view = answer.view;
    this.answer = answer;
  }
}
