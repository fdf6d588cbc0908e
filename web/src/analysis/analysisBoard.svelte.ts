// The analysis board: a tree of moves, the node that is shown, and what it looks like. The server knows
// the rules and keeps nothing: a position goes there as text and comes back as what the board draws.
import { readOpening, reviewOf, withReview } from './analysisAddress';
import { analyse, openRecord } from '../api/endpoints/analysis';
import { BoardModel, moveOf } from '../board/boardModel.svelte';
import { loadBoard } from '../board/gameModule';
import {
  addLine,
  annotate,
  formatRecord,
  mainFrom,
  nodeAt,
  nodesOn,
  pathBy,
  placesOf,
  promote,
  remove,
  rootOf,
  siblingOf,
  type Path,
  type Step,
  type TreeNode,
} from './tree';
import type {
  AnalysisRequest,
  AnalysisResponse,
  LegalMove,
  Move,
  PositionRequest,
  RecordTree,
} from '../api/wire';

/** How many positions are kept, and how many changes can be undone. */
const KEPT = 400;
const MAX_UNDO = 200;

interface Moment {
  root: TreeNode;
  path: Path;
}

export class AnalysisBoard extends BoardModel {
  /** What was opened; null before that. Its moves are in `root`. */
  opened = $state.raw<Omit<RecordTree, 'nodes'> | null>(null);
  root = $state.raw<TreeNode | null>(null);
  path = $state.raw<Path>([]);
  /** The position shown; that of an earlier node until it is there. */
  shown = $state.raw<AnalysisResponse | null>(null);
  /** Whether what chance brings after a move is drawn; otherwise it is chosen. */
  isDrawing = $state(true);
  #past = $state.raw<Moment[]>([]);
  #future = $state.raw<Moment[]>([]);
  #known = new Map<string, AnalysisResponse>();
  #wanted = 0;
  #openings = 0;

  readonly game = $derived(this.opened?.game ?? '');
  readonly nodes = $derived(this.root ? nodesOn(this.root, this.path) : []);
  readonly node = $derived(this.nodes.at(-1) ?? null);
  readonly view = $derived(this.shown ? this.shown.view : null);
  /** Whether the position shown is that of the node. */
  readonly isCurrent = $derived(this.shown !== null && this.shown.position === this.node?.position);
  readonly moves = $derived(this.nodes.slice(1).map(moveOf));
  /** Who moved last, whose knowledge is shown. */
  readonly #mover = $derived(this.moves.findLast(({ seat }) => seat !== null)?.seat ?? null);
  protected override get playsAll(): boolean {
    return true;
  }
  get legal(): LegalMove[] {
    return this.isCurrent ? (this.view?.legal ?? []) : [];
  }
  readonly canUndo = $derived(this.#past.length > 0);
  readonly canRedo = $derived(this.#future.length > 0);
  readonly text = $derived(
    this.opened && this.root ? formatRecord(this.opened.headers, this.root) : '',
  );

  /** The position of the node as requests name it. */
  request(position = this.node?.position ?? ''): PositionRequest {
    const { game = '', version = null, options = {} } = this.opened ?? {};
    return { game, version, options, position };
  }

  // ---- opening ----

  /** Opens a record; throws a Refusal. */
  open(record: string, places: readonly number[] | 'end' = []): Promise<void> {
    return this.#open(this.#begin(), record, places);
  }

  /**
   * Opens what an address names, with what a review of the match found; throws a Refusal. `better` is
   * the comment on a better line.
   */
  async openAddress(search: string, hash: string, better: string): Promise<void> {
    const isNewest = this.#begin();
    const opening = await readOpening(search, hash);
    if (!opening || !isNewest()) return;
    const { record, places, match } = opening;
    await this.#open(isNewest, record, places);
    const review = match === null ? null : await reviewOf(match);
    const { opened, root, path } = this;
    if (!review || !opened || !root || !isNewest()) return;
    const text = withReview(opened.headers, root, review, better);
    await this.#open(isNewest, text, placesOf(root, path));
  }

  /** Opens nothing more: whatever is still read comes too late. */
  close(): void {
    this.#begin();
  }

  /** Begins to open something; the result says whether nothing else was opened since. */
  #begin(): () => boolean {
    const number = ++this.#openings;
    return () => number === this.#openings;
  }

  async #open(
    isNewest: () => boolean,
    record: string,
    places: readonly number[] | 'end',
  ): Promise<void> {
    const { nodes, ...opened } = await openRecord({ record });
    if (!isNewest()) return;
    const isOther = opened.game !== this.opened?.game;
    this.#known.clear();
    this.#past = [];
    this.#future = [];
    this.shown = null;
    this.newMoves = [];
    const root = rootOf({ ...opened, nodes });
    this.opened = opened;
    this.root = root;
    if (isOther) {
      this.isModuleLoaded = false;
      this.module = null;
    }
    await this.show(places === 'end' ? mainFrom(root, []) : this.stopFrom(pathBy(root, places)));
    if (!isNewest()) return;
    // A match begins with what is dealt.
    if (!nodes.length && this.isDrawing && this.#isChance) {
      await this.draw();
      this.#past = [];
    }
    if (isOther || !this.isModuleLoaded) {
      const module = await loadBoard(opened.game);
      if (this.opened?.game !== opened.game) return;
      this.module = module;
      this.isModuleLoaded = true;
      this.offerMoves();
    }
  }

  /** Whether chance is next. */
  get #isChance(): boolean {
    return Boolean(this.shown?.outcomes.length);
  }

  // ---- moving about ----

  /** Shows a node; throws a Refusal. */
  show(path: Path): Promise<void> {
    this.dropEarly();
    this.confirm();
    return this.#go(path);
  }

  async #go(path: Path): Promise<void> {
    if (!this.root) return;
    const before = this.path;
    this.path = path;
    this.dismiss();
    this.builder.clear();
    this.offerMoves();
    const { position } = nodeAt(this.root, path);
    const known = this.#known.get(this.#key(position));
    const number = ++this.#wanted;
    const found = known ?? (await this.#read({ ...this.request(position), seat: this.#mover }));
    if (number !== this.#wanted) return; // Somebody has gone on.
    this.#present(found, isOnFrom(before, path) ? this.moves.slice(before.length) : []);
  }

  async #read(wanted: AnalysisRequest): Promise<AnalysisResponse> {
    const found = await analyse(wanted);
    this.#remember(found);
    return found;
  }

  #remember(found: AnalysisResponse): void {
    this.#known.set(this.#key(found.position), found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
  }

  #key(position: string): string {
    return `${position} ${this.#mover}`;
  }

  #present(found: AnalysisResponse, news: Move[]): void {
    this.confirm();
    this.viewBefore = this.view;
    this.newMoves = news;
    this.shown = found;
    this.offerMoves();
  }

  /** Whether one doesn't stop before a move: nothing is seen between a move and a draw. */
  isPassing({ seat, move }: TreeNode): boolean {
    return seat === null || Boolean(this.module?.isQuiet?.(move));
  }

  /** The path, with the draws that follow it. */
  stopFrom(path: Path): Path {
    if (!this.root) return path;
    const found = [...path];
    for (let node = nodeAt(this.root, path).children[0]; node; node = node.children[0]) {
      if (!this.isPassing(node)) break;
      found.push(node.id);
    }
    return found;
  }

  next(): Promise<void> {
    const next = this.node?.children[0];
    return next ? this.show(this.stopFrom([...this.path, next.id])) : Promise.resolve();
  }

  previous(): Promise<void> {
    const { nodes } = this;
    let depth = nodes.length - 1;
    while (depth > 0 && this.isPassing(nodes[depth]!)) depth--;
    return this.show(this.path.slice(0, Math.max(0, depth - 1)));
  }

  first(): Promise<void> {
    return this.show(this.stopFrom([]));
  }

  end(): Promise<void> {
    return this.root ? this.show(mainFrom(this.root, this.path)) : Promise.resolve();
  }

  /** Goes to the next or the previous variation. */
  sibling(by: 1 | -1): Promise<void> {
    const found = this.root && siblingOf(this.root, this.path, by);
    return found ? this.show(this.stopFrom(found)) : Promise.resolve();
  }

  // ---- playing ----

  protected submit({ move }: LegalMove): Promise<void> {
    return this.#play([move]);
  }

  /** Plays moves from the position shown; those that are in the tree are followed. */
  async playLine(...moves: string[]): Promise<void> {
    if (this.isBusy) return this.defer(moves.join(' '), () => this.playLine(...moves));
    await this.work(() => this.#play(moves));
  }

  async #play(moves: string[]): Promise<void> {
    if (!this.root || !this.node || !this.isCurrent) return;
    this.builder.clear();
    let path = this.path;
    let left = moves;
    for (let next; left.length; path = [...path, next.id], left = left.slice(1)) {
      next = nodeAt(this.root, path).children.find(({ move }) => move === left[0]);
      if (!next) break;
      if (left.length === 1) {
        const end = this.stopFrom([...path, next.id]);
        return this.#go(end);
      }
    }
    await this.#extend(path, left);
  }

  async #extend(path: Path, moves: string[], isDrawn = this.isDrawing): Promise<void> {
    if (!this.root) return;
    const { position } = nodeAt(this.root, path);
    const number = ++this.#wanted;
    const wanted = { ...this.request(position), moves, draw: isDrawn };
    const found = await analyse({ ...wanted, seat: this.view?.seat ?? null });
    if (number !== this.#wanted) return;
    this.#add(path, found.steps);
    this.#remember(found);
    this.#present(found, this.moves.slice(-found.steps.length));
  }

  #add(path: Path, steps: readonly Step[]): void {
    if (!this.root) return;
    const [root, end] = addLine(this.root, path, steps);
    this.#change(root, end);
  }

  protected override ask(move: string): Promise<void> {
    return this.work(() => analyse({ ...this.request(), moves: [move] }).then(() => {}));
  }

  /** The path without the rolls and draws at its end. */
  #undrawn(): Path {
    const { nodes } = this;
    let depth = nodes.length - 1;
    while (depth > 0 && nodes[depth]!.seat === null) depth--;
    return this.path.slice(0, depth);
  }

  /** Draws what chance brings after the last move, once more if it was drawn. */
  async draw(): Promise<void> {
    if (this.isBusy) return;
    await this.work(() => this.#extend(this.#undrawn(), [], true));
  }

  /** Shows the position before the draws, so that they can be chosen. */
  async beforeDraw(): Promise<void> {
    this.isDrawing = false;
    await this.show(this.#undrawn());
  }

  // ---- changing the tree ----

  #change(root: TreeNode, path: Path): void {
    if (!this.root || root === this.root) {
      this.path = path;
      return;
    }
    this.#past = [...this.#past.slice(-MAX_UNDO), { root: this.root, path: this.path }];
    this.#future = [];
    this.root = root;
    this.path = path;
  }

  async undo(): Promise<void> {
    const moment = this.#past.at(-1);
    if (!moment || !this.root) return;
    this.#future = [...this.#future, { root: this.root, path: this.path }];
    this.#past = this.#past.slice(0, -1);
    this.root = moment.root;
    await this.show(moment.path);
  }

  async redo(): Promise<void> {
    const moment = this.#future.at(-1);
    if (!moment || !this.root) return;
    this.#past = [...this.#past, { root: this.root, path: this.path }];
    this.#future = this.#future.slice(0, -1);
    this.root = moment.root;
    await this.show(moment.path);
  }

  /** Removes the move shown and all that follows it. */
  async remove(): Promise<void> {
    if (!this.root || !this.path.length) return;
    const { nodes, root } = this;
    // What chance brought goes with its move.
    let depth = nodes.length - 1;
    while (depth > 1 && this.isPassing(nodes[depth]!)) depth--;
    const path = this.path.slice(0, depth);
    this.#change(remove(root, path), path.slice(0, -1));
    await this.show(path.slice(0, -1));
  }

  promote(): void {
    if (this.root) this.#change(promote(this.root, this.path), this.path);
  }

  note(notes: Partial<Pick<TreeNode, 'comment' | 'symbol'>>): void {
    if (this.root) this.#change(annotate(this.root, this.path, notes), this.path);
  }
}

/** Whether one path goes on from another. */
function isOnFrom(before: Path, path: Path): boolean {
  return path.length > before.length && before.every((id, place) => path[place] === id);
}
