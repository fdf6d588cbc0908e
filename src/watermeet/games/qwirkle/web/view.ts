// What is in a view of Qwirkle, as the board reads it.
import type { Played, Shortcut } from '@watermeet/board/gameModule';
import type { Board as QwirkleBoard, Seat, Tile as Laid } from './viewTypes';
import type { View } from '@watermeet/api/wire';

export type { Board as QwirkleBoard, Tile as Laid } from './viewTypes';
export type Say = (key: string, words?: Record<string, string | number>) => string;

export const COLOURS = 'ROYGBP';
export const SHAPES = 'cxdsbv';

export const boardOf = (view: View): QwirkleBoard => view.board as QwirkleBoard;

/** The tiles that a seat holds; `??` is hidden. */
export function handOf(view: View, seat: number): string[] {
  return (view.seats[seat] as Seat | undefined)?.hand ?? [];
}

/** The parts of a move: a tile and a cell in `Rx@2,-1`, a word and a tile in `trade:Rx`. */
export function split(move: string): string[] {
  return move.split(/[@:]/);
}

/** A tile in words. */
export function tileWords(tile: string, t: Say): string {
  if (tile === '??') return t('hidden');
  const shape = tile[1] ?? '';
  // In some languages, the word for a colour depends on the shape.
  return t('tile', { colour: t(tile[0] ?? '', { agrees: shape }), shape: t(shape) });
}

/** The cell that a text such as `3,-2` names, or null. */
export function cellOf(part: string): { x: number; y: number } | null {
  const found = /^(-?\d+),(-?\d+)$/.exec(part);
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

/** The part of the grid to show: the tiles and the cells around them, at least 8 by 6 cells. */
export function boxOf(tiles: Laid[]): { x: number; y: number; width: number; height: number } {
  const xs = tiles.length ? tiles.map((one) => one.x) : [0];
  const ys = tiles.length ? tiles.map((one) => one.y) : [0];
  const [left, right, top, bottom] = [
    Math.min(...xs) - 1.5,
    Math.max(...xs) + 2.5,
    Math.min(...ys) - 1.5,
    Math.max(...ys) + 2.5,
  ];
  const [wide, high] = [Math.max(0, 8 - (right - left)), Math.max(0, 6 - (bottom - top))];
  return {
    x: left - wide / 2,
    y: top - high / 2,
    width: right - left + wide,
    height: bottom - top + high,
  };
}

/** The middle of some cells; the middle of the grid without any. */
export function middleOf(cells: readonly (readonly [number, number])[]): { x: number; y: number } {
  const among = (values: number[]): number =>
    values.length ? (Math.min(...values) + Math.max(...values) + 1) / 2 : 0.5;
  return { x: among(cells.map((one) => one[0])), y: among(cells.map((one) => one[1])) };
}

/** A line that placed tiles made or extended: where it is, and what it scores. */
export interface ScoredLine {
  x: number;
  y: number;
  width: number;
  height: number;
  points: number;
  /** Whether it has six tiles. */
  isFull: boolean;
}

const FULL = 6;

/** The lines that tiles placed on these cells made or extended. */
export function linesBy(
  tiles: readonly { x: number; y: number }[],
  placed: readonly (readonly [number, number])[],
): ScoredLine[] {
  const taken = new Set(tiles.map(({ x, y }) => `${x},${y}`));
  const found = new Map<string, ScoredLine>();
  for (const [x, y] of placed) {
    for (const [right, under] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const reach = (way: number): number => {
        let far = 0;
        while (taken.has(`${x + right * way * (far + 1)},${y + under * way * (far + 1)}`)) far++;
        return far;
      };
      const [before, after] = [reach(-1), reach(1)];
      const count = before + after + 1;
      if (count < 2) continue;
      const line = {
        x: x - right * before,
        y: y - under * before,
        width: right ? count : 1,
        height: under ? count : 1,
        points: count === FULL ? 2 * FULL : count,
        isFull: count === FULL,
      };
      found.set(`${line.x},${line.y},${right}`, line);
    }
  }
  return [...found.values()];
}

/** The points of a turn that placed tiles; a single first tile is in no line. */
export function pointsBy(lines: ScoredLine[], placed: readonly unknown[]): number {
  const points = lines.reduce((sum, line) => sum + line.points, 0);
  return placed.length ? Math.max(1, points) : 0;
}

/** The lines of the turn that a move ended, and the tiles that it placed. */
export function turnBy({ moves, index, view }: Played): { lines: ScoredLine[]; placed: number } {
  const { tiles } = boardOf(view);
  const isPlaced = (at: number): boolean => Boolean(moves[at]?.move?.includes('@'));
  let later = 0;
  for (let at = index + 1; at < moves.length; at++) later += isPlaced(at) ? 1 : 0;
  let placed = 0;
  while (isPlaced(index - 1 - placed)) placed++;
  const then = tiles.slice(0, tiles.length - later);
  const cells = then.slice(then.length - placed).map(({ x, y }) => [x, y] as const);
  return { lines: linesBy(then, cells), placed };
}

/** A hand in the order that its player wants, as far as they have said; new tiles come last. */
export function arrange(wanted: string[], hand: string[]): string[] {
  const left = [...hand];
  const first = wanted.filter((tile) => {
    const at = left.indexOf(tile);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return [...first, ...left];
}

/** A list with one item moved to another place. */
export function moveItem<T>(list: T[], from: number, to: number): T[] {
  const rest = list.filter((_, number) => number !== from);
  const item = list[from];
  if (item !== undefined) rest.splice(from < to ? to - 1 : to, 0, item);
  return rest;
}

/** The empty cells next to tiles; the first cell if none lies yet, so that there always is one. */
export function frontier(tiles: Laid[]): string[] {
  if (!tiles.length) return ['0,0'];
  const taken = new Set(tiles.map((one) => `${one.x},${one.y}`));
  const found = new Set<string>();
  for (const { x, y } of tiles) {
    for (const cell of [`${x + 1},${y}`, `${x - 1},${y}`, `${x},${y + 1}`, `${x},${y - 1}`])
      if (!taken.has(cell)) found.add(cell);
  }
  return [...found];
}

/** The tiles of the row and column through a cell, including its own. */
export function linesAt(tiles: Laid[], cell: string): { row: string[]; column: string[] } {
  const at = cellOf(cell);
  const byCell = new Map(tiles.map((one) => [`${one.x},${one.y}`, one.tile]));
  const run = (right: number, under: number): string[] => {
    if (!at) return [];
    const found = byCell.get(cell) === undefined ? [] : [byCell.get(cell)!];
    for (const way of [-1, 1]) {
      for (let far = way; ; far += way) {
        const tile = byCell.get(`${at.x + right * far},${at.y + under * far}`);
        if (tile === undefined) break;
        if (way < 0) found.unshift(tile);
        else found.push(tile);
      }
    }
    return found;
  };
  return { row: run(1, 0), column: run(0, 1) };
}

/** The game's own keyboard shortcuts. */
export const SHORTCUTS: Shortcut[] = [
  ['1–6', 'keyTile'],
  ['E', 'end'],
  ['T', 'trade'],
  ['P', 'pass'],
];
