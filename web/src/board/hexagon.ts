// Hexagonal boards: axial coordinates (q, r), r grows downward, pointy tops. Directions 0 to 5 are E,
// SE, SW, W, NW, NE, as in core/hexgrid.py.

export interface Axial {
  q: number;
  r: number;
}
export interface Place {
  x: number;
  y: number;
}

export const WAYS: readonly Axial[] = [
  { q: 1, r: 0 },
  { q: 0, r: 1 },
  { q: -1, r: 1 },
  { q: -1, r: 0 },
  { q: 0, r: -1 },
  { q: 1, r: -1 },
];
export const WAY_NAMES = ['e', 'se', 'sw', 'w', 'nw', 'ne'] as const;
const ROOT = Math.sqrt(3);

/** The centre of a cell whose corners are `radius` away. */
export function centre({ q, r }: Axial, radius: number): Place {
  return { x: radius * ROOT * (q + r / 2), y: radius * 1.5 * r };
}

export function neighbour({ q, r }: Axial, way: number, steps = 1): Axial {
  const by = WAYS[way] ?? { q: 0, r: 0 };
  return { q: q + by.q * steps, r: r + by.r * steps };
}

/** The corners of a hexagon, from the upper right one clockwise: edge `way` joins `way` and the next. */
export function corner(number: number, radius: number, at: Place = { x: 0, y: 0 }): Place {
  const angle = (Math.PI / 180) * (60 * number - 30);
  return { x: at.x + radius * Math.cos(angle), y: at.y + radius * Math.sin(angle) };
}

/** The middle of an edge. */
export function middle(way: number, radius: number, at: Place = { x: 0, y: 0 }): Place {
  const angle = (Math.PI / 180) * 60 * way;
  const far = (radius * ROOT) / 2;
  return { x: at.x + far * Math.cos(angle), y: at.y + far * Math.sin(angle) };
}

export function points(radius: number, at: Place = { x: 0, y: 0 }): string {
  return Array.from({ length: 6 }, (_, number) => corner(number, radius, at))
    .map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`)
    .join(' ');
}

export function key({ q, r }: Axial): string {
  return `${q},${r}`;
}

/** All cells of a board with `side` cells along each side, in the order of their numbers. */
export function cellsOf(side: number): Axial[] {
  const reach = side - 1;
  const line = Array.from({ length: 2 * reach + 1 }, (_, at) => at - reach);
  return line.flatMap((r) =>
    line.filter((q) => Math.abs(q + r) <= reach).map((q): Axial => ({ q, r })),
  );
}

/** The name of a cell: `e5`. */
export function cellName({ q, r }: Axial, side: number): string {
  return `${String.fromCharCode(97 + q + side - 1)}${r + side}`;
}
