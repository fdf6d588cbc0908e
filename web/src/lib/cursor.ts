// The way from cell to cell by arrow keys, for boards of any shape.

export interface Spot {
  key: string;
  x: number;
  y: number;
}

const WAYS: Record<string, [number, number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/**
 * Where an arrow key leads from a spot: to the nearest one in that direction, straight ones first.
 * Null if the key is no arrow or nothing lies there.
 */
export function step(spots: Spot[], from: string, key: string): string | null {
  const way = WAYS[key];
  const here = spots.find((spot) => spot.key === from);
  if (!way) return null;
  if (!here) return spots[0]?.key ?? null;
  let best: string | null = null;
  let least = Infinity;
  for (const spot of spots) {
    const [dx, dy] = [spot.x - here.x, spot.y - here.y];
    const along = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (along <= 0.01 || aside > along * 1.9) continue;
    const far = along + aside * 1.6;
    if (far < least) [least, best] = [far, spot.key];
  }
  return best;
}
