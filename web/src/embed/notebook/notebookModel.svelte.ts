// A match or a record in a notebook as a board that one plays on: moves go to the notebook's kernel.
import { BoardModel } from '../../board/boardModel.svelte';
import type { GameModule } from '../../board/gameModule';
import type { LegalMove, Move, View } from '../../api/wire';
import type { Kernel, Shown } from './kernel';

export class NotebookModel extends BoardModel {
  readonly #kernel: Kernel;
  shown: Shown = $state.raw()!;

  constructor(kernel: Kernel, module: GameModule | null) {
    super();
    this.#kernel = kernel;
    this.module = module;
    this.isModuleLoaded = true;
    this.#show();
    kernel.listen(() => this.#show());
  }

  get game(): string {
    return this.shown.view.game;
  }
  get view(): View {
    return this.shown.view;
  }
  /** Those since the position before. */
  get moves(): Move[] {
    return this.shown.moves;
  }
  override readonly last = $derived.by(() => [...this.shown.last, ...this.pending]);
  /** Whether the person at the notebook is to move. */
  get isOurs(): boolean {
    const { you, view, thinking, step } = this.shown;
    return you !== null && view.to_move === you && !thinking && !step;
  }
  get legal(): LegalMove[] {
    return this.isOurs ? this.view.legal : [];
  }
  override get said(): { explanation: Record<string, unknown> } | null {
    return this.shown.refusal && { explanation: this.shown.refusal };
  }
  override get isRefused(): boolean {
    return this.shown.refusal !== null;
  }

  protected submit({ action }: LegalMove): Promise<boolean> {
    this.#kernel.send({ kind: 'play', action });
    return Promise.resolve(false); // What comes of it is told to those who listen.
  }

  protected override ask(move: string): Promise<void> {
    this.#kernel.send({ kind: 'explain', move });
    return Promise.resolve();
  }

  override dismiss(): void {
    super.dismiss();
    if (this.isRefused) this.#kernel.send({ kind: 'dismiss' });
  }

  #show(): void {
    this.confirm();
    this.shown = this.#kernel.shown();
    this.newMoves = this.shown.moves;
    this.viewBefore = this.shown.before;
    this.settle();
  }
}
