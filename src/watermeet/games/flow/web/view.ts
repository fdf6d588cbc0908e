// What is in a view of Flow, as the board reads it.
import type { Shortcut } from '@watermeet/board/gameModule';
import type { Animal, Board as FlowBoard, Cell, Seat } from './viewTypes';
import type { View } from '@watermeet/api/wire';

export type { Animal, Board as FlowBoard, Cell } from './viewTypes';

export const boardOf = (view: View): FlowBoard => view.board as FlowBoard;

export function handOf(view: View, seat: number): string[] {
  return (view.seats[seat] as Seat | undefined)?.hand ?? [];
}

/** The parts of a move: a cell and open edges in `NE@c4`, a card and a cell in `bird:a2`. */
export function split(move: string): string[] {
  const laid = layOf(move);
  return laid ? [laid.cell, laid.part] : move.split(':');
}

/** The cell and open edges of a move that places a tile; null for others. */
export function layOf(move: string): { cell: string; part: string } | null {
  const found = /^([NESWX]+)@([a-g][1-7])$/.exec(move);
  return found ? { cell: found[2]!, part: found[1]! } : null;
}

export function isCell(part: string): boolean {
  return /^[a-g][1-7]$/.test(part);
}

export const CARDS = new Set(['support', 'bird', 'current', 'fishing', 'calm', 'return']);

/** The middles of the edges of a cell of 100 units. */
export const ENDS: Record<string, string> = { N: '50 0', E: '100 50', S: '50 100', W: '0 50' };
const OPPOSITE: Record<string, string> = { N: 'S', E: 'W', S: 'N', W: 'E' };
/** Columns and rows from a cell to the one beyond an edge; rows count from the bottom. */
const STEPS: Record<string, [number, number]> = { N: [0, 1], E: [1, 0], S: [0, -1], W: [-1, 0] };

/** The channel through a cell from edge to edge: straight, or around a corner. */
export function channel(from: string, to: string): string {
  return OPPOSITE[from] === to ? `M${ENDS[from]}L${ENDS[to]}` : `M${ENDS[from]}Q50 50 ${ENDS[to]}`;
}

/** The edges of a kind of tile as shown in a hand. */
export const USUAL: Record<string, string> = {
  straight: 'NS',
  bend: 'NE',
  cross: 'NESW',
  obstacle: 'N',
  tee: 'NES',
};
/** The row or column that each number of a die hits; board.py has the same table. */
export const LINES = [0, 1, 2, 4, 5, 6];

/** By cell: the edge where water comes in, and its distance from the nearest animal. */
export function flowOf(board: FlowBoard): Map<string, { edge: string; depth: number }> {
  const at = new Map(board.cells.map((cell) => [`${cell.column},${cell.row}`, cell]));
  const found = new Map<string, { edge: string; depth: number }>();
  const sources = new Set(board.animals.map((animal) => animal.cell));
  let front = board.cells.filter((cell) => sources.has(cell.name));
  for (let depth = 1; front.length; depth++) {
    const next: Cell[] = [];
    for (const cell of front) {
      for (const edge of cell.edges) {
        const [right, up] = STEPS[edge] ?? [0, 0];
        const other = at.get(`${cell.column + right},${cell.row + up}`);
        const entry = OPPOSITE[edge] ?? '';
        if (
          !other?.wet ||
          sources.has(other.name) ||
          found.has(other.name) ||
          !other.edges.includes(entry)
        )
          continue;
        found.set(other.name, { edge: entry, depth });
        next.push(other);
      }
    }
    front = next;
  }
  return found;
}

/** The dice rolled among some moves, and the lines that the wave hit; null if none were. */
export function waveOf(moves: { move: string | null }[]): {
  white: number | null;
  black: number | null;
  row: number | null;
  column: number | null;
} | null {
  const die = (name: string): number | null => {
    const found = moves.findLast((one) => one.move?.startsWith(`${name}:`))?.move;
    return found ? Number(found.slice(name.length + 1)) : null;
  };
  const [white, black] = [die('white'), die('black')];
  if (white === null && black === null) return null;
  const line = (pips: number | null): number | null =>
    pips === null ? null : (LINES[pips - 1] ?? null);
  return { white, black, row: line(white), column: line(black) };
}

/** How likely the next wave washes away a tile of an animal's path; a bird saves its tile once. */
export function riskOf(animal: Animal, board: FlowBoard): number {
  const path = board.cells.filter(
    (cell) => animal.path.includes(cell.name) && cell.tile && cell.name !== board.boat.cell,
  );
  const isHit = (row: number | null, column: number | null): boolean =>
    path.some(
      (cell) => Number(cell.row === row) + Number(cell.column === column) > Number(cell.bird),
    );
  const waves = board.calm
    ? LINES.flatMap((line) => [isHit(line, null), isHit(null, line)])
    : LINES.flatMap((row) => LINES.map((column) => isHit(row, column)));
  return waves.filter(Boolean).length / waves.length;
}

/** The kind of a tile that is open at these edges. */
export function kindOf(edges: string): string {
  if (edges === 'X') return 'scenario';
  if (edges.length === 2) return edges === 'NS' || edges === 'EW' ? 'straight' : 'bend';
  return ['', 'obstacle', '', 'tee', 'cross'][edges.length] ?? '';
}

const GLYPHS: Record<string, string> = {
  ...{ NS: '┃', EW: '━', NE: '┗', ES: '┏', SW: '┓', NW: '┛', NESW: '╋' },
  ...{ NES: '┣', ESW: '┳', NSW: '┫', NEW: '┻', N: '╹', E: '╺', S: '╻', W: '╸' },
};
/** Open edges as a letter that looks like them. */
export const glyphOf = (edges: string): string => GLYPHS[edges] ?? '✕';

/** The open edges by the letters of shapes in texts of positions, `a` to `o`, as shapes.py has them. */
const EDGES = 'NS EW NE ES SW NW NESW N E S W NES ESW NSW NEW'.split(' ');
export const edgesNamed = (letter: string): string => EDGES[letter.charCodeAt(0) - 97] ?? '';
/** What follows a letter if there is a bird. */
export const BIRD = '*';

/** The game's own keyboard shortcuts. */
export const SHORTCUTS: Shortcut[] = [
  ['1–9', 'keyCard'],
  ['R', 'rotate'],
  ['D', 'keyDraw'],
  ['C', 'swap'],
  ['X', 'discard'],
  ['U', 'time'],
  ['G', 'point'],
];
