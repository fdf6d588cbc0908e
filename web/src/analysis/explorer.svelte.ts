// The opening explorer: a position that is reached move by move from the start, and what was played in
// it. The server counts; positions that are images of each other are one.
import { getOpenings } from '../api/endpoints/openings';
import { BoardModel, moveOf } from '../board/boardModel.svelte';
import { loadBoard } from '../board/gameModule';
import type { LegalMove, OpeningResponse } from '../api/wire';

export type Source = OpeningResponse['source'];

export class Explorer extends BoardModel {
  readonly game: string;
  readonly options: string;
  source = $state<Source>('server');
  /** What the server said last; null before that. */
  answer = $state.raw<OpeningResponse | null>(null);

  readonly view = $derived(this.answer ? this.answer.view : null);
  readonly played = $derived(this.answer?.played ?? []);
  /** The server doesn't say who played them. */
  readonly moves = $derived(this.played.map((move, place) => moveOf({ move, seat: null }, place)));
  override readonly last = $derived([...this.played.slice(-1), ...this.pending].slice(-1));
  protected override get playsAll(): boolean {
    return true;
  }
  get legal(): LegalMove[] {
    return this.isBusy ? [] : (this.view?.legal ?? []);
  }

  constructor(game: string, options: string) {
    super();
    this.game = game;
    this.options = options;
  }

  /** Loads the board and the first position. Where nothing was played here, engines have. */
  async load(moves: string[], source: Source | null): Promise<void> {
    this.source = source ?? 'server';
    const [module] = await Promise.all([loadBoard(this.game), this.show(moves)]);
    this.module = module;
    this.isModuleLoaded = true;
    this.offerMoves();
    if (!source && !this.answer?.matches && this.answer?.has_engine) await this.choose('engine');
  }

  /** Shows the position after some moves; throws a Refusal. */
  async show(moves: string[]): Promise<void> {
    if (this.isBusy) return;
    this.isWaiting = true;
    this.offerMoves();
    try {
      await this.#read(moves);
    } finally {
      this.settle();
    }
  }

  async #read(moves: string[]): Promise<void> {
    const answer = await getOpenings(this.game, {
      moves: moves.join(' '),
      options: this.options,
      source: this.source,
    });
    this.confirm();
    this.answer = answer;
    this.newMoves = this.moves.slice(-1);
  }

  async choose(source: Source): Promise<void> {
    this.source = source;
    await this.show(this.played);
  }

  protected submit({ move }: LegalMove): Promise<void> {
    return this.#read([...this.played, move]);
  }

  async back(): Promise<void> {
    await this.show(this.played.slice(0, -1));
  }
}
