// The list of moves: actions grouped into turns, and where a replay stops. Chance events are hidden
// unless asked for.
import type { Move } from '../api/wire';

export interface TurnPart {
  /** The position after it, as a number of actions. */
  ply: number;
  /** The notation; null if it is hidden from this seat. */
  move: string | null;
  /** How many consecutive hidden actions this stands for. */
  count: number;
}

export interface Turn {
  /** Null for chance and the clock. */
  seat: number | null;
  isClock: boolean;
  /** A sentence instead of the notation, such as `Brook swaps colours`. */
  caption?: string;
  parts: TurnPart[];
}

/** The sentence of an action that is more than a move; null for plain moves. */
export type Caption = (move: string, seat: number | null) => string | null;

/** Whether an action only ends a turn, such as `End turn`: it isn't listed. */
export type Quiet = (move: string) => boolean;

/**
 * The turns in order. Consecutive hidden actions are one part. An action with a caption has a line of
 * its own, also if chance events are not shown.
 */
export function groupTurns(
  moves: Move[],
  isChanceShown: boolean,
  captionOf: Caption = () => null,
  isQuiet: Quiet = () => false,
): Turn[] {
  const found: Turn[] = [];
  for (const [index, { seat, move, by_timer: isClock }] of moves.entries()) {
    const caption = move === null ? null : captionOf(move, seat);
    if (caption) {
      found.push({ seat, isClock, caption, parts: [{ ply: index + 1, move, count: 1 }] });
      continue;
    }
    if (isChance(moves[index]!) && !isChanceShown) continue;
    const last = found.at(-1);
    const isSame = last?.seat === seat && last.isClock === isClock && last.caption === undefined;
    if (isSame && move !== null && isQuiet(move)) continue;
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

/**
 * The positions that a replay stops at, as numbers of actions: where somebody is about to do
 * something, and the last. Nothing is seen between a player's move and the draw that follows.
 */
export function replayStops(
  moves: Move[],
  captionOf: Caption = () => null,
  isQuiet: Quiet = () => false,
): number[] {
  const isPassing = (next: Move): boolean => {
    if (next.move !== null && captionOf(next.move, next.seat)) return false;
    return isChance(next) || (next.move !== null && isQuiet(next.move));
  };
  return [...moves.keys()].filter((ply) => !isPassing(moves[ply]!)).concat(moves.length);
}

/** The number of the stop that shows a position: the first that isn't before it. */
export function stopAt(stops: number[], ply: number): number {
  const found = stops.findIndex((stop) => stop >= ply);
  return found < 0 ? stops.length - 1 : found;
}

export function chanceCount(moves: Move[]): number {
  return moves.filter(isChance).length;
}

function isChance(move: Move): boolean {
  return move.seat === null && !move.by_timer;
}
