// A position while it is set up: its text, what the board shows of it, and whether it is possible. The
// server says what is wrong with it.
import { analyse } from '../api/endpoints/analysis';
import type { Game, View } from '../api/wire';
import { loadBoard, type GameModule, type PositionEditor } from '../board/gameModule';
import { MoveBuilder } from '../board/moveBuilder.svelte';
import type { Options } from '../lobby/newMatch';
import { Refusal } from '../api/refusal';

/** How soon a change is checked. */
const CHECK_MS = 200;

export class PositionSetup {
  readonly game: Game;
  /** Makes the cells look as if they could be chosen, which they can. */
  readonly builder = new MoveBuilder();
  module = $state.raw<GameModule | null>(null);
  editor = $state.raw<PositionEditor | null>(null);
  options = $state.raw<Options>({});
  position = $state('');
  /** The piece to put on cells; empty takes away. */
  piece = $state('');
  isPossible = $state(false);
  problem = $state.raw<Refusal | null>(null);
  /** The view of the last position that was possible. */
  #base = $state.raw<View | null>(null);
  #checked = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly view = $derived.by(() => {
    if (!this.#base) return null;
    const isShown = this.#checked === this.position && this.isPossible;
    const view = isShown ? this.#base : this.editor?.preview(this.#base, this.position);
    // Nobody is to move while a position is set up.
    return { ...(view ?? this.#base), seat: null, legal: [] };
  });

  constructor(game: Game) {
    this.game = game;
  }

  /** Begins with a position; an empty text is the beginning. Throws a Refusal. */
  async load(position: string, options: Options): Promise<void> {
    const wanted = { game: this.game.name, options, position };
    const [module, found] = await Promise.all([
      loadBoard(this.game.name),
      analyse({ ...wanted, draw: true }),
    ]);
    this.module = module;
    this.editor = (await module?.editor?.()) ?? null;
    this.options = options;
    this.piece = this.editor?.pieces[0] ?? '';
    this.#take(found.position, found.view);
  }

  #take(position: string, view: View): void {
    this.position = this.#checked = position;
    this.#base = view;
    this.isPossible = true;
    this.problem = null;
    this.#offer();
  }

  #offer(): void {
    const { editor, view } = this;
    const cells = editor && view ? (editor.offered ?? editor.cells)(view) : [];
    this.builder.offer(
      cells.map((move, action) => ({ action, move })),
      (move) => [move],
    );
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Puts the chosen piece on a cell; the same piece once more is taken away. */
  put(cell: string): void {
    const { editor, view } = this;
    if (!editor || !view || !editor.cells(view).includes(cell)) return;
    const after = editor.put(this.position, cell, this.piece, view);
    this.write(after === this.position ? editor.put(this.position, cell, '', view) : after);
  }

  clear(): void {
    const { editor, view } = this;
    if (!editor || !view) return;
    let text = this.position;
    for (const cell of editor.cells(view)) text = editor.put(text, cell, '', view);
    this.write(text);
  }

  /** Changes the text, and has it checked. */
  write(position: string): void {
    this.position = position;
    this.isPossible = false;
    this.#offer();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_MS);
  }

  async #check(): Promise<void> {
    const { position } = this;
    const { name } = this.game;
    try {
      const wanted = { game: name, options: this.options, position: position.trim() };
      const found = await analyse(wanted);
      if (position !== this.position) return;
      this.#base = found.view;
      this.#checked = position;
      this.isPossible = position.trim() !== '';
      this.problem = null;
      this.#offer();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (position === this.position) this.problem = error;
    }
  }
}
