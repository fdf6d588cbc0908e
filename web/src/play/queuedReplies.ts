// Replies that are queued in slow play: lines of moves, the others' and one's own.

/**
 * The lines with one more. A line that says something else in the same position, or less, is
 * replaced: `isOwn` says which moves of the new line are ours.
 */
export function withLine(lines: string[][], added: string[], isOwn: boolean[]): string[][] {
  const kept = lines.filter((line) => {
    const at = added.findIndex((move, place) => move !== line[place]);
    if (at === -1) return line.length > added.length; // It goes further.
    return at < line.length && !isOwn[at];
  });
  const isKnown = kept.some((line) => added.every((move, place) => move === line[place]));
  return isKnown ? kept : [...kept, added];
}
