// The list of moves: actions put together to turns. Draws are folded away unless they are asked for.
import type { MoveTold } from './wire';

export interface TurnPart {
  /** The position behind it: so many actions. */
  ply: number;
  /** Null: what was done is hidden from who looks. */
  move: string | null;
  /** How many hidden actions in a row this stands for. */
  count: number;
}

export interface Turn {
  /** Null: luck, or the clock. */
  seat: number | null;
  isClock: boolean;
  parts: TurnPart[];
}

/** Turns in order: what one seat did in a row. Hidden actions in a row are one part. */
export function turnsOf(moves: MoveTold[], areDrawsShown: boolean): Turn[] {
  const found: Turn[] = [];
  for (const [index, { seat, move, by_clock: isClock }] of moves.entries()) {
    if (isDraw(moves[index]!) && !areDrawsShown) continue;
    const last = found.at(-1);
    const isSame = last?.seat === seat && last.isClock === isClock;
    const part = isSame ? last.parts.at(-1) : undefined;
    if (part?.move === null && move === null) {
      part.ply = index + 1;
      part.count += 1;
    } else if (isSame) {
      last.parts.push({ ply: index + 1, move, count: 1 });
    } else {
      found.push({ seat, isClock, parts: [{ ply: index + 1, move, count: 1 }] });
    }
  }
  return found;
}

export function drawCount(moves: MoveTold[]): number {
  return moves.filter(isDraw).length;
}

function isDraw(move: MoveTold): boolean {
  return move.seat === null && !move.by_clock;
}
