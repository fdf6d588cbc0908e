// What the frame tells boards beside the view, and what they may ask it for.
import type { GameModule } from './boards';
import type { MoveTold } from './wire';

/** A sign that a partner gave: a cell, or a move that is thought of. */
export interface Sign {
  seat: number;
  what: string;
  /** Grows with every sign, so that the same one can be given again. */
  number: number;
}

export interface Aid {
  /** Why what was tried last did not work; empty if all is well. */
  readonly reason: string;
  /** The cells that show it. */
  readonly refused: string[];
  /** Lets the reason go. */
  dismiss: () => void;
  /** Tries a move that is not offered, so that the server says why not. */
  why: (move: string, cell: string | null) => void;
  /** Takes back what was played in this turn; null if nothing can be taken back without asking. */
  readonly undo: (() => void) | null;
  /** What was played since the page knew of the match, in words; to be read aloud. */
  readonly news: string;
  /** Those moves. */
  readonly fresh: MoveTold[];
  /** The seat that played the last turn. */
  readonly lastSeat: number | null;
  /** Milliseconds left of the minute that all share; null if none runs. */
  readonly minute: number | null;
  /** Signs of partners that are still to be seen. */
  readonly signs: Sign[];
  /** Gives partners a sign; null if there are none. */
  readonly sign: ((what: string) => void) | null;
}

/** What a move is called when it is read aloud; null if there is nothing to say. */
export function newsOf(
  move: MoveTold,
  module: GameModule | null,
  say: (key: string, words?: Record<string, string | number>) => string,
  names: string[],
): string | null {
  if (move.move === null) return null;
  const told = module?.news?.(move.move, say) ?? module?.tell?.(move.move, say) ?? move.move;
  if (!told) return null;
  return move.seat === null ? told : `${names[move.seat] ?? ''}: ${told}`;
}
