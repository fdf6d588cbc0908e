// The opening explorer: a position that is reached move by move from the start, and what was played in
// it. The server counts; positions that are images of each other are one.
import { getOpenings } from '../api/endpoints/openings';
import { loadBoard, type GameModule } from '../board/gameModule';
import type { MatchEvent, View } from '../board/match.svelte';
import { MoveBuilder } from '../board/moveBuilder.svelte';
import type { Move, OpeningResponse } from '../api/wire';

export type Source = OpeningResponse['source'];

export class Explorer {
  readonly game: string;
  readonly options: string;
  readonly builder = new MoveBuilder();
  module = $state.raw<GameModule | null>(null);
  source = $state<Source>('server');
  /** What the server said last; null before that. */
  answer = $state.raw<OpeningResponse | null>(null);
  isBusy = $state(false);
  readonly lastSeat = null;

  readonly view = $derived(this.answer ? (this.answer.view as unknown as View) : null);
  readonly played = $derived(this.answer?.played ?? []);
  readonly last = $derived(this.played.slice(-1));
  readonly newMoves = $derived(
    this.last.map((move): Move => {
      const seq = this.played.length;
      return { seq, at: 0, seat: null, move, spent_ms: 0, by_timer: false, action: null };
    }),
  );
  readonly events = $derived(
    this.newMoves.map(({ seq, move }): MatchEvent => ({ seq, kind: 'played', seat: null, move })),
  );

  constructor(game: string, options: string) {
    this.game = game;
    this.options = options;
  }

  /** Loads the board and the first position. Where nothing was played here, engines have. */
  async load(moves: string[], source: Source | null): Promise<void> {
    this.source = source ?? 'server';
    const [module] = await Promise.all([loadBoard(this.game), this.show(moves)]);
    this.module = module;
    this.#offer();
    if (!source && !this.answer?.matches && this.answer?.has_engine) await this.choose('engine');
  }

  /** Shows the position after some moves; throws a Refusal. */
  async show(moves: string[]): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.#offer();
    try {
      this.answer = await getOpenings(this.game, {
        moves: moves.join(' '),
        options: this.options,
        source: this.source,
      });
    } finally {
      this.isBusy = false;
      this.#offer();
    }
  }

  async choose(source: Source): Promise<void> {
    this.source = source;
    await this.show(this.played);
  }

  /** Selects a part of a move, and plays the move once it is complete. */
  async pick(part: string): Promise<void> {
    const complete = this.builder.choose(part);
    if (complete) await this.play(complete.action);
  }

  async play(action: number): Promise<void> {
    const move = this.view?.legal.find((legal) => legal.action === action)?.move;
    if (move !== undefined) await this.show([...this.played, move]);
  }

  async back(): Promise<void> {
    await this.show(this.played.slice(0, -1));
  }

  #offer(): void {
    this.builder.offer(this.isBusy ? [] : (this.view?.legal ?? []), this.module?.split);
  }
}
