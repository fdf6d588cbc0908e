// Arrow keys from cell to cell, for boards of any shape.

export interface Spot {
  key: string;
  x: number;
  y: number;
}

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/**
 * The spot that an arrow key leads to: the nearest in that direction, straight ahead first. Null if
 * the key isn't an arrow or there is none.
 */
export function step(spots: Spot[], from: string, key: string): string | null {
  const direction = DIRECTIONS[key];
  const here = spots.find((spot) => spot.key === from);
  if (!direction) return null;
  if (!here) return spots[0]?.key ?? null;
  let best: string | null = null;
  let least = Infinity;
  for (const spot of spots) {
    const [dx, dy] = [spot.x - here.x, spot.y - here.y];
    const along = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (along <= 0.01 || aside > along * 1.9) continue;
    const far = along + aside * 1.6;
    if (far < least) [least, best] = [far, spot.key];
  }
  return best;
}
