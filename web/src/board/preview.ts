// What previews of moves have in common (`GameModule.preview`).
import type { View } from '../api/wire';

/** Whose turn it is after a move, and what they may play, isn't known here. */
export const UNDECIDED: Pick<View, 'to_move' | 'legal'> = { to_move: -1, legal: [] };

/** The seats, one of them changed. */
export function withSeat(
  { seats }: View,
  number: number,
  change: (seat: View['seats'][number]) => Record<string, unknown>,
): View['seats'] {
  return seats.map((seat, place) => (place === number ? { ...seat, ...change(seat) } : seat));
}

/** A list without the first item that equals another. */
export function without<T>(list: readonly T[], item: T): T[] {
  const place = list.indexOf(item);
  return list.filter((_, number) => number !== place);
}
