// Thinks, in a thread of its own. A module is fetched and compiled once. Between two slices of a
// search the worker listens, so a search can be stopped, and a new one ends the one before.
import { EngineModule } from './module';
import { Search } from './search';
import type { Reply, Request } from './types';

/** How often a search reports, in milliseconds. */
const REPORT_MS = 200;

const modules = new Map<string, Promise<EngineModule>>();
/** The networks of games, by URL: fetched when a bot first plays with one. */
const networks = new Map<string, Promise<ArrayBuffer>>();
/** The search that may run; an older one ends with what it has found. */
let current = -1;
let last = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.kind === 'think') {
    current = data.id;
    last = last.then(() => think(data)); // They share the module's memory, so one after the other.
  } else if (data.kind === 'load')
    load(data.url).catch(() => {}); // A search will say why.
  else if (data.id === current) current = -1;
});

async function think(request: Extract<Request, { kind: 'think' }>): Promise<void> {
  const { id, url, task, limits, reports } = request;
  try {
    const module = await load(url);
    const { game, network } = task;
    const content = network && (await fetched(`/api/games/${game}/networks/${network.digest}`));
    const search = new Search(module, task, limits, content);
    let reported = performance.now();
    while (!search.step() && (await pause(), id === current)) {
      if (!reports || performance.now() < reported + REPORT_MS) continue;
      reported = performance.now();
      reply({ kind: 'progress', id, result: search.result() });
    }
    reply({ kind: 'done', id, result: search.result() });
  } catch (error) {
    modules.delete(url); // Its stack may not be what it was.
    reply({ kind: 'failed', id, message: String(error) });
  }
}

function reply(message: Reply): void {
  self.postMessage(message);
}

/** A module; one that couldn't be loaded is tried again the next time. */
function load(url: string): Promise<EngineModule> {
  let found = modules.get(url);
  if (!found) {
    found = WebAssembly.compileStreaming(fetch(url)).then((module) => new EngineModule(module));
    found.catch(() => modules.delete(url));
    modules.set(url, found);
  }
  return found;
}

/** A network; one that couldn't be loaded is tried again the next time. */
function fetched(url: string): Promise<ArrayBuffer> {
  let found = networks.get(url);
  if (!found) {
    found = fetch(url).then((response) => {
      if (!response.ok) throw new Error(`There is no network at ${url}.`);
      return response.arrayBuffer();
    });
    found.catch(() => networks.delete(url));
    networks.set(url, found);
  }
  return found;
}

/** Lets messages in. A timer would wait for four milliseconds. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
