// Monte Carlo tree search by a game's module. The module simulates; here are the tree's beginning, the
// limits, and the result, as `search/montecarlo.py` has them.
import type { EngineModule, Place, Table } from './module';
import type { EngineTask } from '../api/wire';
import type { Candidate, Limits, SearchResult } from './types';

const NONE = -1;
const ROOT = 0;
const MAX_DEPTH = 512;
/** As many as in Python, so that a level finds as much. */
const MAX_NODES = 400_000;
const EDGES_PER_NODE = 40;
const MAX_EDGES = 4_000_000;
const MAX_PV = 16;
/** How many candidates have their line shown. */
const MAX_LINES = 3;
/** A search works in slices of about this length, and can be stopped in between. */
const SLICE_MS = 15;
const MAX_SLICE = 1 << 20;
/** Python's `engine_seed(0)`. */
const SEED = 8286860734697223441n;

/** Python's `VERSION` in `nets/packed.py`, and how many integers begin the file. */
const NETWORK_VERSION = 2;
const NETWORK_HEADER = 8;

export class Search {
  #module: EngineModule;
  #task: EngineTask;
  #limits: Limits;
  #isHidden: boolean;
  #state: Place;
  #actions: number[];
  #win: number | null;
  #tree: Table = { address: 0, fields: {} };
  #scratch = 0;
  #settings = 0;
  #network = 0;
  #started = performance.now();
  #nodes = 0;
  #slice = 1;

  /** The network is the content of its file, if the task has one. */
  constructor(
    module: EngineModule,
    task: EngineTask,
    limits: Limits,
    network: ArrayBuffer | null = null,
  ) {
    this.#module = module;
    this.#task = task;
    this.#limits = limits;
    this.#isHidden = task.search.startsWith('simulate_hidden');
    module.clear();
    this.#state = module.stateOf(bytesOf(task.state));
    const listed = module.allocate('int32', task.actions);
    const count = module.call('legal', this.#state, listed);
    this.#actions = [...module.read(listed).subarray(0, count)];
    this.#win = count > 1 ? this.#findWin() : null;
    if (!this.#isSearching) return;
    this.#plant();
    if (network) this.#network = this.#unpack(network);
  }

  /** Whether there is anything to search: not if there is one move, or the priors decide. */
  get #isSearching(): boolean {
    return this.#task.search !== '' && this.#actions.length > 1;
  }

  /** Searches for a few milliseconds; returns whether it is finished. */
  step(): boolean {
    const { nodes, seconds } = this.#limits;
    const before = performance.now();
    const left = seconds === undefined ? Infinity : this.#started + 1000 * seconds - before;
    if (this.#nodes > 0 && nodes !== undefined)
      this.#slice = Math.min(this.#slice, nodes - this.#nodes);
    const isOver = this.#nodes > 0 && (this.#slice <= 0 || left <= 0);
    if (isOver || !this.#isSearching) return true;
    const done = this.#simulate(this.#slice);
    this.#nodes += done;
    if (done < this.#slice || this.#at('node_proven', ROOT) !== 0) return true;
    const took = Math.max(performance.now() - before, 1e-3);
    const fitting = Math.floor((done * Math.min(SLICE_MS, Math.max(left - took, 0.01))) / took);
    // At most four times the last slice: later nodes may be slower than the first ones.
    this.#slice = Math.max(1, Math.min(MAX_SLICE, 4 * this.#slice, fitting));
    return false;
  }

  #simulate(count: number): number {
    const given = [this.#tree.address, this.#scratch, this.#settings, this.#state];
    if (this.#isHidden) given.push(this.#task.seat);
    const { network } = this.#task;
    const extra = network ? [this.#network, network.reach, network.middle] : [];
    return this.#module.call(this.#task.search, ...given, count, ...extra);
  }

  // ---- the result ----

  /** What has been found so far. */
  result(): SearchResult {
    const ranked = this.#isSearching ? this.#edgesOf(ROOT).map((edge) => this.#judged(edge)) : [];
    ranked.sort((one, other) => compare(one.candidate, other.candidate));
    const best = ranked[0];
    const candidates = best ? ranked.map(({ candidate }) => candidate) : this.#unsearched();
    return {
      candidates,
      lines: ranked.slice(0, MAX_LINES).map(({ edge }) => this.#pv(edge)),
      pv: best ? this.#pv(best.edge) : candidates.slice(0, 1).map(({ action }) => action),
      nodes: this.#nodes,
      seconds: (performance.now() - this.#started) / 1000,
      proven: candidates[0]?.proven !== 0,
      win: this.#win,
    };
  }

  get #bestReturn(): number {
    return this.#task.settings['best_return'] ?? 1;
  }

  /** An action that wins at once, as `search/wins.py` finds it. */
  #findWin(): number | null {
    const { actions, seat, seats } = this.#task;
    const rng = this.#module.allocate('uint64', 1);
    this.#module.readLong(rng)[0] = SEED;
    const state = (): Place =>
      this.#module.allocate(this.#module.description.state, this.#state.length);
    const win = this.#module.call(
      'find_win',
      ...[this.#state, seat, this.#bestReturn, rng, this.#module.allocate('int32', actions)],
      ...[state(), state(), this.#module.allocate('float64', seats)],
    );
    return win === NONE ? null : win;
  }

  #judged(edge: number): { edge: number; candidate: Candidate } {
    const sign = this.#at('node_mover', ROOT) === 0 ? 1 : -1;
    const action = this.#at('edge_action', edge);
    const visits = this.#at('edge_visits', edge);
    const target = this.#at('edge_target', edge);
    const proven = (target !== NONE && sign * this.#at('node_proven', target)) || 0;
    const mean = visits && this.#at('edge_value_sum', edge) / visits;
    const value = proven ? Math.sign(proven) * this.#bestReturn : mean;
    const prior = this.#at('edge_prior', edge);
    return {
      edge,
      candidate: { action, move: this.#moveOf(action), value, visits, prior, proven },
    };
  }

  /** The candidates without a search, by the game's priors, which serve as values too. */
  #unsearched(): Candidate[] {
    const count = this.#actions.length;
    const actions = this.#module.allocate('int32', this.#task.actions);
    this.#module.read(actions).set(this.#actions);
    const weights = this.#module.allocate('float64', this.#task.actions);
    if (count > 1) this.#module.call('priors', this.#state, actions, count, weights);
    const found = [...this.#module.read(weights).subarray(0, count)];
    const total = found.reduce((sum, weight) => sum + weight, 0);
    return this.#actions
      .map((action, index) => {
        const prior = count > 1 ? (found[index] ?? 0) / total : 1;
        const value = count > 1 ? prior : 0;
        return { action, move: this.#moveOf(action), value, visits: 1, prior, proven: 0 };
      })
      .sort((one, other) => other.prior - one.prior);
  }

  #moveOf(action: number): string {
    return this.#task.moves[this.#actions.indexOf(action)] ?? '';
  }

  /** The edges of a node: a block of rows, or a list where something is hidden. */
  #edgesOf(node: number): number[] {
    const first = this.#at('node_first_edge', node);
    if (!this.#isHidden)
      return Array.from({ length: this.#at('node_edge_count', node) }, (_, index) => first + index);
    const found = [];
    for (let edge = first; edge !== NONE; edge = this.#at('edge_next', edge)) found.push(edge);
    return found;
  }

  /** The most visited edges from an edge of the root on. */
  #pv(first: number): number[] {
    const pv = [];
    for (let edge = first; edge !== NONE && pv.length < MAX_PV;) {
      pv.push(this.#at('edge_action', edge));
      const node = this.#at('edge_target', edge);
      if (node === NONE || this.#at('node_visits', node) < 2) break;
      let most = -1;
      edge = NONE;
      for (const each of this.#edgesOf(node)) {
        const visits = this.#at('edge_visits', each);
        if (visits > most) [edge, most] = [each, visits];
      }
    }
    return pv;
  }

  // ---- memory ----

  /** Makes a tree with an unvisited root, and the working arrays. */
  #plant(): void {
    const { actions, max_length, seats, settings, seat } = this.#task;
    const { description } = this.#module;
    const nodes =
      this.#limits.maxNodes ?? Math.min(MAX_NODES, (this.#limits.nodes ?? MAX_NODES) + 1);
    // Room for whatever so many nodes can need, so that the tree is full no sooner than Python's.
    const perNode = this.#limits.maxNodes === undefined ? actions : EDGES_PER_NODE;
    const edges = Math.min(MAX_EDGES, perNode * nodes);
    const slots = !this.#isHidden && settings['transpositions'] ? 2 * nodes : 1;
    this.#tree = this.#module.table(description.tree, (name) => {
      if (name === 'edge_next' || name === 'edge_availability') return this.#isHidden ? edges : 0;
      if (name.startsWith('key_')) return slots;
      if (name.startsWith('node_')) return nodes;
      if (name.startsWith('edge_')) return edges;
      return name === 'used' ? 2 : 0; // There are no locks: one thread grows the tree.
    });
    const depth = Math.min(MAX_DEPTH, max_length);
    const lengths: Record<string, number> = {
      ...{ state: this.#state.length, path: depth, movers: depth, rng: 1 },
      ...{ actions, weights: actions, edges: actions, returns: seats, evaluation: seats },
    };
    const scratch = this.#module.table(description.scratch, (name) => lengths[name] ?? 0);
    this.#scratch = scratch.address;
    this.#settings = this.#module.numbers(description.settings, settings);
    for (const name of ['node_edge_count', 'node_visits', 'node_value_sum', 'node_proven'])
      this.#set(name, ROOT, 0);
    this.#set('node_first_edge', ROOT, NONE);
    this.#set('node_mover', ROOT, seat);
    const { used, key_node } = this.#tree.fields;
    if (used) this.#module.readLong(used).set([1n, 0n]);
    if (key_node) this.#module.read(key_node).fill(0);
    const { rng } = scratch.fields;
    if (rng) this.#module.readLong(rng)[0] = this.#limits.seed ?? SEED;
  }

  /** A network in the module's memory, as `nets/packed.py` reads it; returns its address. */
  #unpack(content: ArrayBuffer): number {
    const { lengths = {}, board = [], places = '' } = this.#task.network ?? {};
    const header = new Int32Array(content, 0, NETWORK_HEADER);
    if (header[0] !== NETWORK_VERSION) throw new Error('This network is of another version.');
    const { address, fields } = this.#module.table(
      this.#module.description.net,
      (name) => lengths[name] ?? 0,
    );
    const { sizes, filters, floats } = fields as Record<string, Place>;
    const begin = 4 * NETWORK_HEADER;
    const after = begin + 4 * Math.ceil(filters!.length / 4);
    this.#module.read(sizes!).set([...header.subarray(1), ...board]);
    this.#module.read(filters!).set(new Int8Array(content, begin, filters!.length));
    this.#module.read(floats!).set(new Float32Array(content, after, floats!.length));
    this.#module.bytes(fields['places']!).set(bytesOf(places));
    return address;
  }

  #at(name: string, index: number): number {
    return this.#module.read(this.#tree.fields[name] as Place)[index] ?? 0;
  }

  #set(name: string, index: number, value: number): void {
    this.#module.read(this.#tree.fields[name] as Place)[index] = value;
  }
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** Proven wins first, proven losses last, the others by visits; then by value, prior and action. */
function compare(one: Candidate, other: Candidate): number {
  return (
    other.proven - one.proven ||
    other.visits - one.visits ||
    other.value - one.value ||
    other.prior - one.prior ||
    one.action - other.action
  );
}
