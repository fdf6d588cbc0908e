// What a notebook's kernel sends a board, and what the board sends back.
import type { Move, View } from '../../api/wire';

/** What a search thinks, best first. */
export interface Thoughts {
  candidates: { move: string; chances: string; words: string }[];
  expects: string;
  effort: string;
}

/** What `watermeet.notebook` shows. */
export interface Shown {
  view: View;
  before: View | null;
  /** The moves since `before`. */
  moves: Move[];
  /** Those of the last turn, to be highlighted. */
  last: string[];
  names: string[];
  /** The seat of the person at the notebook; null if there is none. */
  you: number | null;
  /** Who thinks; empty if nobody does. */
  thinking: string;
  /** The result; empty before the end. */
  result: string;
  canUndo: boolean;
  /** Why the last attempt was refused. */
  refusal: (Record<string, unknown> & { cells: string[] }) | null;
  thoughts: Thoughts | null;
  /** The position shown of a record; null in a match that is played. */
  step: { at: number; of: number; stops: number[] } | null;
}

export type Request =
  | { kind: 'play'; action: number }
  | { kind: 'explain'; move: string }
  | { kind: 'step'; to: number }
  | { kind: 'undo' | 'again' | 'think' | 'dismiss' };

export interface Kernel {
  shown: () => Shown;
  listen: (changed: () => void) => void;
  send: (request: Request) => void;
  /** Takes over whether the notebook is dark. */
  theme: () => void;
}
