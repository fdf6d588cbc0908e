import { beforeEach, expect, test, vi } from 'vitest';
import { AnalysisBoard } from './analysisBoard.svelte';
import { Refusal } from '../api/refusal';
import type { AnalysisRequest, AnalysisResponse, RecordTree } from '../api/wire';

const api = vi.hoisted(() => ({ analyse: vi.fn(), openRecord: vi.fn() }));
vi.mock('../api/endpoints/analysis', () => api);
vi.mock('../board/gameModule', () => ({ loadBoard: () => Promise.resolve(null) }));
const address = vi.hoisted(() => ({
  readOpening: vi.fn(),
  reviewOf: vi.fn(),
  withReview: vi.fn(),
}));
vi.mock('./analysisAddress', () => address);

/** A game with these cells, each of which may be taken once; the position lists those taken. */
const CELLS = ['a', 'b', 'c', 'd'];
const DELAY_MS = 300;
const asked: string[] = [];

function answer({ position: first = '', moves = [] }: AnalysisRequest): AnalysisResponse {
  const steps = [];
  let position = first;
  for (const move of moves.map(String)) {
    if (position.includes(move)) {
      throw new Refusal({ code: 'illegal_move', message: 'taken', hint: '' });
    }
    position += move;
    steps.push({ move, seat: position.length % 2, position, result: '' });
  }
  const free = CELLS.filter((cell) => !position.includes(cell));
  const legal = free.map((move) => ({ action: CELLS.indexOf(move), move }));
  const view = { to_move: position.length % 2, legal, seats: [], board: {} };
  return { position, result: '', view, steps, outcomes: [] } as unknown as AnalysisResponse;
}

/** A board whose server takes its time. */
async function opened(nodes: RecordTree['nodes'] = []): Promise<AnalysisBoard> {
  const record = { game: 'cells', version: 1, options: {}, headers: [], position: '', nodes };
  api.openRecord.mockResolvedValue({ ...record, seats: [], result: '', comment: '' });
  const board = new AnalysisBoard();
  const opening = board.open('');
  await vi.runAllTimersAsync();
  await opening;
  asked.length = 0;
  return board;
}

beforeEach(() => {
  vi.useFakeTimers();
  api.analyse.mockImplementation(async (request: AnalysisRequest) => {
    asked.push(`${request.position}+${(request.moves ?? []).join()}`);
    await new Promise((done) => setTimeout(done, DELAY_MS));
    return answer(request);
  });
  return () => vi.useRealTimers();
});

const played = (board: AnalysisBoard): string => board.moves.map(({ move }) => move).join('');

test('picks during an answer are played after it, in order', async () => {
  const board = await opened();
  for (const cell of ['a', 'c', 'b']) {
    void board.pick(cell);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.runAllTimersAsync();
  expect(played(board)).toBe('acb');
  expect(asked).toEqual(['+a', 'a+c', 'ac+b']);
  expect([board.isBusy, board.refusal]).toEqual([false, null]);
});

test('a move of the tree is followed by what was picked meanwhile', async () => {
  const node = { move: 'a', seat: 0, position: 'a', result: '', parent: -1 };
  const board = await opened([{ ...node, comment: '', symbol: '', seconds: null }]);
  void board.pick('a');
  void board.pick('b');
  await vi.runAllTimersAsync();
  expect(played(board)).toBe('ab');
});

test('a double click plays once', async () => {
  const board = await opened();
  void board.pick('a');
  void board.pick('a');
  await vi.runAllTimersAsync();
  expect([played(board), board.refusal]).toEqual(['a', null]);
});

test('what no longer fits is refused, with all that was picked after it', async () => {
  const board = await opened();
  for (const cell of ['a', 'b', 'a', 'c']) void board.pick(cell);
  await vi.runAllTimersAsync();
  expect(played(board)).toBe('ab');
  expect(board.refusal?.code).toBe('conflict');
});

test('after a refusal nothing else is played', async () => {
  const board = await opened();
  void board.playLine('a', 'a');
  void board.pick('b');
  await vi.runAllTimersAsync();
  expect([played(board), board.refusal?.code]).toEqual(['', 'illegal_move']);
  void board.pick('b');
  await vi.runAllTimersAsync();
  expect([played(board), board.refusal]).toEqual(['b', null]);
});

test('nothing is offered until the position is there', async () => {
  const board = await opened();
  void board.playLine('a', 'b');
  await vi.runAllTimersAsync();
  void board.previous();
  expect([board.isCurrent, board.builder.legal]).toEqual([false, []]);
  await vi.runAllTimersAsync();
  expect(board.builder.legal.map(({ move }) => move)).toEqual(['b', 'c', 'd']);
});

test('whoever goes elsewhere leaves behind what was picked', async () => {
  const board = await opened();
  void board.pick('a');
  void board.pick('b');
  void board.first();
  await vi.runAllTimersAsync();
  expect(played(board)).toBe('');
});

test('what is opened last is shown, however slowly the others are read', async () => {
  const board = await opened();
  const after = async <T>(ms: number, value: T): Promise<T> =>
    new Promise((done) => setTimeout(() => done(value), ms));
  const slow = { match: 1000, early: 10, late: 10 }; // To find out what to open, and then to open it.
  const long = { match: 10, early: 900, late: 10 };
  address.readOpening.mockImplementation((name: keyof typeof slow) =>
    after(slow[name], { record: name, places: [], match: null }),
  );
  api.openRecord.mockImplementation(({ record: name }: { record: keyof typeof long }) =>
    after(long[name], {
      ...{ game: name, version: 1, options: {}, headers: [], position: '', nodes: [] },
      ...{ seats: [], result: '', comment: '' },
    }),
  );
  for (const name of ['match', 'early', 'late']) {
    void board.openAddress(name, '', '');
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.runAllTimersAsync();
  expect(board.opened?.game).toBe('late');
});

test('what was opened before draws nothing in what was opened last', async () => {
  const delays: Record<string, number> = { slow: 900, quick: 10 };
  api.analyse.mockImplementation(async (request: AnalysisRequest) => {
    asked.push(`${request.game}+${request.draw}`);
    await new Promise((done) => setTimeout(done, delays[request.game]));
    return { ...answer(request), outcomes: [{ move: 'a' }] };
  });
  const board = await opened();
  api.openRecord.mockImplementation(({ record: game }: { record: string }) =>
    Promise.resolve({
      ...{ game, version: 1, options: {}, headers: [], position: '', nodes: [] },
      ...{ seats: [], result: '', comment: '' },
    }),
  );
  asked.length = 0;
  void board.open('slow');
  await vi.advanceTimersByTimeAsync(100);
  void board.open('quick');
  await vi.runAllTimersAsync();
  expect(asked.filter((text) => text === 'quick+true')).toHaveLength(1);
});
