// What the match page offers a board beside the view.
import type { Move, StepInfo } from '../api/wire';

/** A sign from a partner: a cell, or a move they have in mind. */
export interface Sign {
  seat: number;
  what: string;
  /** Grows with every sign, so the same one can be given again. */
  number: number;
}

/** A move that an engine considers, to be marked on the board; 1 is the best. */
export interface BoardLine {
  move: string;
  rank: number;
  /** Whether it is a step of one line, and `rank` its place. */
  isStep?: boolean;
}

export interface BoardContext {
  /** The reader's own seat; null for spectators, and at a screen that players share. */
  readonly you: number | null;
  /** Why the last attempt was refused; empty if it was not. */
  readonly reason: string;
  /** The cells that show why. */
  readonly refusedCells: string[];
  /** Hides the reason. */
  dismiss: () => void;
  /** Tries an illegal move, so that the server explains why it is illegal. */
  explain: (move: string, cell: string | null) => void;
  /**
   * Undoes the last action of this turn; null if that needs the others' consent. Resolves to false if
   * it was refused.
   */
  readonly undo: (() => Promise<boolean> | void) | null;
  /** The new moves as a screen reader announces them. */
  readonly announcement: string;
  /** The moves of the last update; empty after a snapshot. */
  readonly newMoves: Move[];
  /** Moves on their way that the view shows already: they are drawn lighter until they are confirmed. */
  readonly pending: readonly string[];
  /** Those that it doesn't show: the frame marks their cells. */
  readonly unseen: readonly string[];
  /** The seat that moved last. */
  readonly lastSeat: number | null;
  /** Milliseconds left on the clock that everybody shares; null if there is none. */
  readonly sharedClockMs: number | null;
  /** Whether the match has ended, also while an earlier position is shown. */
  readonly isOver: boolean;
  /** Whether there is one right answer: whatever gives the turn away isn't what to offer first. */
  readonly isPuzzle?: boolean;
  /** The hint to show, action by action as far as the turn goes; empty without one. */
  readonly hint: StepInfo[];
  /** The moves that an engine considers, or the steps of a line. */
  readonly lines?: readonly BoardLine[];
  /** Partners' signs that are still shown. */
  readonly signs: Sign[];
  /** Gives partners a sign; null if there are none. */
  readonly sign: ((what: string) => void) | null;
}
