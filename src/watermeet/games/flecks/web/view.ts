// What is in a view of Flecks, and where things are drawn.
import type { Shortcut } from '@watermeet/board/gameModule';
import type { Board as FlecksBoard, Cell } from './viewTypes';
import type { View } from '@watermeet/api/wire';
import { centre, key, middle, neighbour, WAY_NAMES, type Axial } from '@watermeet/board/hexagon';

export type { Board as FlecksBoard, Cell } from './viewTypes';

export const boardOf = (view: View): FlecksBoard => view.board as FlecksBoard;

/**
 * The parts of a move: the rear stone `e5` and the shift `>ne2` in `e5-ne2`; any other move is one
 * part. The sign keeps shifts and cells apart, since `e1` could be either.
 */
export function split(move: string): string[] {
  const found = /^([a-z]\d+)-([a-z]+\d+)$/.exec(move);
  return found ? [found[1]!, `>${found[2]!}`] : [move];
}

/** The stones of the row with this rear stone; `way` is a shift such as `>ne2`. */
export function rowOf(board: FlecksBoard, rear: string, way: string): Axial[] {
  const byPlace = new Map(board.cells.map((cell) => [key(cell), cell]));
  const start = board.cells.find((cell) => cell.name === rear);
  const { direction } = read(way);
  if (!start?.stone || direction < 0) return [];
  const row: Axial[] = [];
  for (
    let at: Axial = start;
    byPlace.get(key(at))?.stone === start.stone;
    at = neighbour(at, direction)
  )
    row.push(at);
  return row;
}

export function read(way: string): { direction: number; steps: number } {
  const found = /^>([a-z]+)(\d+)$/.exec(way);
  return {
    direction: WAY_NAMES.indexOf(found?.[1] as (typeof WAY_NAMES)[number]),
    steps: Number(found?.[2] ?? 0),
  };
}

/** Where those stones are after the move. */
export function rowAfter(board: FlecksBoard, rear: string, way: string): Axial[] {
  const { direction, steps } = read(way);
  return rowOf(board, rear, way).map((at) => neighbour(at, direction, steps));
}

/** The cell where the front of a row lands. */
export function landing(board: FlecksBoard, rear: string, way: string): string | null {
  const front = rowAfter(board, rear, way).at(-1);
  return (
    board.cells.find((cell) => front && cell.q === front.q && cell.r === front.r)?.name ?? null
  );
}

/**
 * The row move that drags a stone to a cell: of the rows through it, the longest that may go so far.
 * Null if none may, or the cell isn't in a line with the stone.
 */
export function rowDragged(
  board: FlecksBoard,
  isLegal: (move: string) => boolean,
  from: string,
  to: string,
): { rear: string; way: string } | null {
  const byPlace = new Map(board.cells.map((cell) => [key(cell), cell]));
  const start = board.cells.find((cell) => cell.name === from);
  const end = board.cells.find((cell) => cell.name === to);
  if (!start?.stone || !end || start === end) return null;
  for (const [direction, name] of WAY_NAMES.entries()) {
    for (let steps = 1; steps < 2 * board.size; steps++) {
      if (key(neighbour(start, direction, steps)) !== key(end)) continue;
      const rears: string[] = [];
      for (let at: Cell | undefined = start; at?.stone === start.stone;) {
        rears.unshift(at.name);
        at = byPlace.get(key(neighbour(at, (direction + 3) % 6)));
      }
      const rear = rears.find((one) => isLegal(`${one}-${name}${steps}`));
      return rear === undefined ? null : { rear, way: `>${name}${steps}` };
    }
  }
  return null;
}

/**
 * The stones that each step of a turn puts down or moves, where they come to lie; `from` is where the
 * rear of a row was. A later step sees the stones of the earlier ones.
 */
export function hintSteps(
  board: FlecksBoard,
  moves: string[],
): { from: Axial | null; stones: Axial[]; direction: number }[] {
  let now = board;
  return moves.flatMap((move) => {
    const [rear = '', way] = split(move);
    const from = now.cells.find((cell) => cell.name === rear);
    if (!from) return [];
    const stones = way ? rowAfter(now, rear, way) : [from];
    const left = new Set(way ? rowOf(now, rear, way).map(key) : []);
    const taken = new Set(stones.map(key));
    const stoneOn = (cell: Cell): Cell['stone'] =>
      taken.has(key(cell)) ? board.turn : left.has(key(cell)) ? '' : cell.stone;
    now = { ...now, cells: now.cells.map((cell) => ({ ...cell, stone: stoneOn(cell) })) };
    const { direction } = read(way ?? '');
    return stones.length ? [{ from: way ? from : null, stones, direction }] : [];
  });
}

/** What a row move such as `e5-ne2` did: where its rear stone was and is; null for other moves. */
export function shiftBy(
  board: FlecksBoard,
  move: string | undefined,
): { rear: string; way: string; from: Axial; to: Axial; direction: number; steps: number } | null {
  const [rear = '', way = ''] = split(move ?? '');
  const from = board.cells.find((cell) => cell.name === rear);
  const { direction, steps } = read(way);
  if (!from || direction < 0) return null;
  return { rear, way, from, to: neighbour(from, direction, steps), direction, steps };
}

/** The cells where stones of a row have just arrived, by name, if a move led from one board to another. */
export function arrivals(
  before: FlecksBoard,
  after: FlecksBoard,
  move: string | undefined,
): string[] {
  const shift = shiftBy(before, move);
  if (!shift) return [];
  const places = new Map(after.cells.map((cell) => [key(cell), cell]));
  const colour = before.cells.find((cell) => cell.name === shift.rear)?.stone;
  const found = rowAfter(before, shift.rear, shift.way).map((at) => places.get(key(at)));
  return found.every((cell) => cell?.stone && cell.stone === colour)
    ? found.map((cell) => cell!.name)
    : [];
}

/** The outer edges of the rim, each with the colour of the border there. */
export function rim(
  board: FlecksBoard,
  radius: number,
): { cell: Cell; way: number; colour: 'r' | 'b' }[] {
  const byPlace = new Map(board.cells.map((cell) => [key(cell), cell]));
  const pure = board.cells.filter((cell) => cell.borders.length === 1);
  return board.cells
    .filter((cell) => cell.borders)
    .flatMap((cell) =>
      [0, 1, 2, 3, 4, 5]
        .filter((way) => !byPlace.has(key(neighbour(cell, way))))
        .map((way) => {
          // Where two borders meet on a cell, an edge belongs to the border that it is nearer to.
          let colour = cell.borders;
          if (colour.length > 1) {
            const at = middle(way, radius, centre(cell, radius));
            const far = (other: Cell): number =>
              Math.hypot(centre(other, radius).x - at.x, centre(other, radius).y - at.y);
            colour = pure.reduce((best, one) => (far(one) < far(best) ? one : best)).borders;
          }
          return { cell, way, colour: colour as 'r' | 'b' };
        }),
    );
}

/** Where the letters of the borders go: the middle of each part of the border, a little outside. */
export function stretches(
  edges: { cell: Cell; way: number; colour: 'r' | 'b' }[],
  radius: number,
): { x: number; y: number; colour: 'r' | 'b' }[] {
  const around = edges
    .map(({ cell, way, colour }) => {
      const at = middle(way, radius, centre(cell, radius));
      return { ...at, colour, angle: Math.atan2(at.y, at.x) };
    })
    .sort((one, other) => one.angle - other.angle);
  const first = around.findIndex((one, number) => one.colour !== around.at(number - 1)?.colour);
  if (first < 0) return [];
  const runs: (typeof around)[] = [];
  for (const one of [...around.slice(first), ...around.slice(0, first)]) {
    const run = runs.at(-1);
    if (run?.[0]?.colour === one.colour) run.push(one);
    else runs.push([one]);
  }
  return runs.map((run) => {
    const one = run[Math.floor(run.length / 2)]!;
    const far = Math.hypot(one.x, one.y);
    return {
      x: one.x * (1 + (radius * 0.42) / far),
      y: one.y * (1 + (radius * 0.42) / far),
      colour: one.colour,
    };
  });
}

/** The cells of the horizontal row through a cell, from left to right. */
export function lineOf(board: FlecksBoard, name: string): Cell[] {
  const at = board.cells.find((cell) => cell.name === name);
  return board.cells.filter((cell) => cell.r === at?.r).sort((one, other) => one.q - other.q);
}

/** The game's own keyboard shortcuts. */
export const SHORTCUTS: Shortcut[] = [['E', 'stop']];
