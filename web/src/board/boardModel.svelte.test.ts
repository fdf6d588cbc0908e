import { expect, test, vi } from 'vitest';
import { BoardModel } from './boardModel.svelte';
import type { GameModule } from './gameModule';
import { UNDECIDED } from './preview';
import { Refusal } from '../api/refusal';
import type { LegalMove, Move, View } from '../api/wire';

/** A game with these cells, each taken once by whoever is to move; nobody else moves. */
const CELLS = ['a', 'b', 'c'];
const viewOf = (taken: string): View => {
  const legal = CELLS.flatMap((move, action) => (taken.includes(move) ? [] : [{ action, move }]));
  return { to_move: 0, legal, board: { taken }, seats: [] } as unknown as View;
};
const takenIn = (view: View): unknown => (view.board as { taken: string }).taken;
const preview = (view: View, move: string): View => viewOf(`${String(takenIn(view))}${move}`);
const illegal = new Refusal({ code: 'illegal_move', message: '', hint: '' });

/** A board whose answers the test gives. */
class Staged extends BoardModel {
  readonly game = 'cells';
  taken = $state('');
  readonly view = $derived(viewOf(this.taken));
  readonly moves = $derived(
    [...this.taken].map((move, seq) => ({ seq, seat: 0, move }) as unknown as Move),
  );
  hasAll = false;
  readonly sent: string[] = [];
  readonly asked: string[] = [];
  answer: (refusal?: Refusal) => Promise<void> = async () => {};

  constructor(module: Partial<GameModule> = { preview }) {
    super();
    this.module = module as GameModule;
    this.offerMoves();
  }
  get legal(): LegalMove[] {
    return this.view.legal;
  }
  protected override get playsAll(): boolean {
    return this.hasAll;
  }
  protected submit({ move }: LegalMove): Promise<void> {
    this.sent.push(move);
    return new Promise((resolve, reject) => {
      this.answer = async (refusal) => {
        if (refusal) reject(refusal);
        else {
          this.confirm();
          this.taken += move;
          resolve();
        }
        await vi.waitFor(() => expect(this.sent.length > 1 || !this.isBusy).toBe(true));
      };
    });
  }
  protected override ask(move: string): Promise<void> {
    this.asked.push(move);
    return this.work(() => Promise.reject(illegal));
  }
}
const drawn = (board: Staged): unknown => board.drawn && takenIn(board.drawn);

test('a move is drawn at once, and taken back if it is refused', async () => {
  const board = new Staged();
  void board.pick('a');
  expect([drawn(board), board.pending, board.last, board.lastSeat]).toEqual(['a', ['a'], ['a'], 0]);
  expect(takenIn(board.view)).toBe('');
  await board.answer(illegal);
  expect([drawn(board), board.pending, board.refusal?.code]).toEqual(['', [], 'illegal_move']);
  board.taken = 'c';
  expect(board.last).toEqual(['c']);
  void board.pick('b');
  expect([board.refusal, drawn(board), board.last]).toEqual([null, 'cb', ['c', 'b']]);
});

test('what is picked meanwhile is drawn at once, and played after the answer', async () => {
  const board = new Staged();
  for (const cell of ['a', 'b', 'c']) void board.pick(cell);
  expect([drawn(board), board.sent, board.builder.legal]).toEqual(['abc', ['a'], []]);
  await board.answer();
  expect([drawn(board), board.sent]).toEqual(['abc', ['a', 'b']]);
  expect(board.last).toEqual(['a', 'b', 'c']);
});

test('the other player’s moves aren’t ours to pick, unless we play every seat', () => {
  const passes = (view: View, move: string): View => ({ ...preview(view, move), to_move: 1 });
  const board = new Staged({ preview: passes });
  void board.pick('a');
  expect(board.builder.legal).toEqual([]);
  const both = new Staged({ preview: passes });
  both.hasAll = true;
  for (const cell of ['a', 'b']) void both.pick(cell);
  expect([drawn(both), both.pending]).toEqual(['ab', ['a', 'b']]);
});

test('what comes next may not be plain: then picks only wait', async () => {
  const board = new Staged({ preview: (view, move) => ({ ...preview(view, move), ...UNDECIDED }) });
  board.hasAll = true;
  for (const cell of ['a', 'b']) void board.pick(cell);
  expect([drawn(board), board.builder.legal.length]).toEqual(['a', 3]);
  await board.answer();
  expect(board.sent).toEqual(['a', 'b']);
});

test('a refusal takes back what was picked after the move, too', async () => {
  const board = new Staged();
  for (const cell of ['a', 'b']) void board.pick(cell);
  await board.answer(illegal);
  expect([drawn(board), board.sent, board.pending]).toEqual(['', ['a'], []]);
});

test('a double click is one', async () => {
  const board = new Staged();
  void board.pick('a');
  void board.pick('a');
  await board.answer();
  expect([board.sent, board.refusal]).toEqual([['a'], null]);
});

test('what a game can’t draw is marked, and picks wait all the same', async () => {
  const board = new Staged({});
  void board.pick('a');
  void board.pick('b');
  expect([drawn(board), board.pending, board.unseen]).toEqual(['', [], ['a']]);
  expect(board.builder.chosen).toEqual([]);
  await board.answer();
  expect([drawn(board), board.unseen, board.sent]).toEqual(['a', ['b'], ['a', 'b']]);
});

test('a move that waits for confirmation isn’t on its way', () => {
  const board = new Staged();
  board.builder.waits = () => true;
  void board.pick('a');
  expect([board.builder.complete?.move, board.sending, board.isBusy]).toEqual(['a', [], false]);
  void board.pick('a');
  expect([board.builder.complete, board.sending, board.isBusy]).toEqual([null, ['a'], true]);
});

test('a cell that was tapped too early is chosen if it can be by then, else explained', async () => {
  const board = new Staged({});
  void board.pick('a');
  void board.explain('b', 'b');
  await board.answer();
  expect([board.sent, board.asked]).toEqual([['a', 'b'], []]);
  void board.explain('x', 'x');
  await board.answer();
  await vi.waitFor(() => expect(board.refusedCells).toEqual(['x']));
  expect(board.asked).toEqual(['x']);
});

test('only a slow answer is worth a word', async () => {
  vi.useFakeTimers();
  const board = new Staged();
  void board.pick('a');
  vi.advanceTimersByTime(399);
  expect(board.isSlow).toBe(false);
  vi.advanceTimersByTime(2);
  expect(board.isSlow).toBe(true);
  vi.useRealTimers();
  await board.answer();
  expect(board.isSlow).toBe(false);
});
