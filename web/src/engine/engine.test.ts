import { expect, test } from 'vitest';
import type { EngineTask } from '../api/wire';
import { Engine, type Port } from './engine';
import type { Reply, Request, SearchResult } from './types';

const TASK: EngineTask = {
  ...{ game: 'any', state: '', seat: 0, moves: ['a', 'b'], search: 'simulate', settings: {} },
  ...{
    seats: 2,
    actions: 2,
    max_length: 9,
    nodes: 50,
    seconds: null,
    temperature: 0,
    network: null,
  },
};
const RESULT: SearchResult = {
  ...{ candidates: [], pv: [1], lines: [[1]], nodes: 7, seconds: 0.1, proven: false, win: null },
};

class FakeWorker implements Port {
  sent: Request[] = [];
  isTerminated = false;
  onmessage: Port['onmessage'] = null;
  onerror: Port['onerror'] = null;
  postMessage(request: Request): void {
    this.sent.push(request);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  reply(data: Reply): void {
    this.onmessage?.call(this as never, { data } as MessageEvent);
  }
}

function make(): { engine: Engine; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const start = (): FakeWorker => workers[workers.push(new FakeWorker()) - 1] as FakeWorker;
  return { engine: new Engine(start), workers };
}

test('the worker starts with the first search, and gets the limits of the task or of the caller', () => {
  const { engine, workers } = make();
  expect(workers).toHaveLength(0);
  void engine.think('/one.wasm', TASK);
  void engine.think('/one.wasm', TASK, { seconds: 2 });
  expect(workers).toHaveLength(1);
  expect(workers[0]?.sent.map((each) => each.kind === 'think' && each.limits)).toEqual([
    { nodes: 50, seconds: undefined },
    { seconds: 2 },
  ]);
});

test('replies reach the search that they belong to', async () => {
  const { engine, workers } = make();
  const progress: number[] = [];
  const first = engine.think(
    '/one.wasm',
    TASK,
    {},
    { onProgress: ({ nodes }) => progress.push(nodes) },
  );
  const second = engine.think('/one.wasm', TASK);
  const [worker] = workers;
  worker?.reply({ kind: 'progress', id: 1, result: { ...RESULT, nodes: 3 } });
  worker?.reply({ kind: 'failed', id: 2, message: 'no module' });
  worker?.reply({ kind: 'done', id: 1, result: RESULT });
  expect(await first).toEqual(RESULT);
  expect(progress).toEqual([3]);
  await expect(second).rejects.toThrow('no module');
});

test('a signal stops a search, before or after it has begun', () => {
  const { engine, workers } = make();
  const control = new AbortController();
  void engine.think('/one.wasm', TASK, {}, { signal: control.signal });
  control.abort();
  void engine.think('/one.wasm', TASK, {}, { signal: control.signal });
  expect(workers[0]?.sent.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'think 1',
    'stop 1',
    'think 2',
    'stop 2',
  ]);
});

test('a closed engine fails what runs, and starts again when asked', async () => {
  const { engine, workers } = make();
  const running = engine.think('/one.wasm', TASK);
  engine.close();
  await expect(running).rejects.toThrow('closed');
  void engine.think('/one.wasm', TASK);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
});
