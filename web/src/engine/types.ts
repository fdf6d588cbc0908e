// What the page asks the engine of a game, and what it answers.

import type { EngineTask } from '../api/wire';

/** When a search stops: at whichever limit it reaches first. */
export interface Limits {
  seconds?: number | undefined;
  /** Simulations. */
  nodes?: number | undefined;
  /** The generator's 64-bit state; Python's `engine_seed` gives it for a seed. */
  seed?: bigint | undefined;
  /** Room for this many nodes in the tree. */
  maxNodes?: number | undefined;
}

/** One action at the root. */
export interface Candidate {
  action: number;
  /** The text of the action. */
  move: string;
  /** The return that the mover expects. */
  value: number;
  visits: number;
  prior: number;
  /** Above 0 if it is proven to win, larger the sooner; below 0 if it is proven to lose. */
  proven: number;
}

/** What a search has found, with its candidates from best to worst. */
export interface SearchResult {
  candidates: Candidate[];
  /** The principal variation, as actions. */
  pv: number[];
  /** The lines of the first candidates, as actions; empty if nothing was searched. */
  lines: number[][];
  nodes: number;
  seconds: number;
  /** Whether the value is exact. */
  proven: boolean;
  /** An action that wins at once, if there is one. */
  win: number | null;
}

/** What the page sends to the worker. */
export type Request =
  | { kind: 'think'; id: number; url: string; task: EngineTask; limits: Limits; reports: boolean }
  | { kind: 'load'; id: number; url: string }
  | { kind: 'stop'; id: number };

/** What the worker answers. */
export type Reply =
  | { kind: 'progress' | 'done'; id: number; result: SearchResult }
  | { kind: 'failed'; id: number; message: string };
