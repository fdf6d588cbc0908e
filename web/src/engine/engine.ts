// The engine of the games, as the page uses it: it thinks in a worker, which starts when it is first
// asked and never before.
import type { EngineTask } from '../api/wire';
import type { Limits, Reply, Request, SearchResult } from './types';

export type { Candidate, Limits, SearchResult } from './types';

/** What a search may be given besides its limits. */
export interface Hooks {
  /** Called a few times a second with what has been found so far. */
  onProgress?: ((result: SearchResult) => void) | undefined;
  /** Ends the search early: it returns what it has found. */
  signal?: AbortSignal | undefined;
}

interface Waiting {
  resolve: (result: SearchResult) => void;
  reject: (error: Error) => void;
  onProgress: Hooks['onProgress'];
}

/** What the engine needs of a worker. */
export type Port = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

export class Engine {
  #start: () => Port;
  #worker: Port | null = null;
  #waiting = new Map<number, Waiting>();
  #id = 0;

  constructor(start: () => Port = startWorker) {
    this.#start = start;
  }

  /** Whether this browser can run an engine. */
  static get isSupported(): boolean {
    return typeof WebAssembly === 'object' && typeof Worker === 'function';
  }

  /**
   * Searches a state by the module at a URL, within limits; without any, within those of the task. A
   * new search ends one that is running, which returns what it has found.
   */
  think(
    url: string,
    task: EngineTask,
    limits: Limits = {},
    { onProgress, signal }: Hooks = {},
  ): Promise<SearchResult> {
    const id = ++this.#id;
    const worker = (this.#worker ??= this.#connect());
    const isLimited = limits.nodes !== undefined || limits.seconds !== undefined;
    const own = { nodes: task.nodes ?? undefined, seconds: task.seconds ?? undefined };
    return new Promise<SearchResult>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      const send = (request: Request): void => worker.postMessage(request);
      const reports = onProgress !== undefined;
      send({
        kind: 'think',
        id,
        url,
        task,
        reports,
        limits: isLimited ? limits : { ...limits, ...own },
      });
      const stop = (): void => send({ kind: 'stop', id });
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Loads a module ahead of the first search. */
  load(url: string): void {
    const request: Request = { kind: 'load', id: ++this.#id, url };
    (this.#worker ??= this.#connect()).postMessage(request);
  }

  /** Ends the worker; searches that are running fail. The next one starts another. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#fail('The engine was closed.');
  }

  #connect(): Port {
    const worker = this.#start();
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#waiting.get(data.id);
      if (data.kind === 'progress') {
        waiting?.onProgress?.(data.result);
        return;
      }
      this.#waiting.delete(data.id);
      if (data.kind === 'failed') waiting?.reject(new Error(data.message));
      else waiting?.resolve(data.result);
    };
    worker.onerror = () => {
      this.#worker = null;
      this.#fail('The engine could not be started.');
    };
    return worker;
  }

  #fail(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}

function startWorker(): Port {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
