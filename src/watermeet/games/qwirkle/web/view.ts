// What Qwirkle's view.py sends, as the board reads it.
import type { Shortcut } from '@watermeet/lib/boards';
import type { View } from '@watermeet/lib/match.svelte';

export interface Laid {
  x: number;
  y: number;
  tile: string;
}
export interface QwirkleBoard {
  tiles: Laid[];
  laid: [number, number][];
  last: [number, number][];
  preview: number | null;
  aside: string[];
  bag: number;
  unseen: Record<string, number> | null;
}
export type Say = (key: string, words?: Record<string, string | number>) => string;

export const COLOURS = 'ROYGBP';
export const SHAPES = 'cxdsbv';

export function boardOf(view: View): QwirkleBoard {
  return view.board as unknown as QwirkleBoard;
}

/** The tiles that a seat holds; `??` is hidden. */
export function handOf(view: View, seat: number): string[] {
  return (view.seats[seat]?.['hand'] as string[] | undefined) ?? [];
}

/** The parts of a move: a tile and a cell in `Rx@2,-1`, a word and a tile in `trade:Rx`. */
export function split(move: string): string[] {
  return move.split(/[@:]/);
}

/** A tile in words. */
export function tileWords(tile: string, t: Say): string {
  if (tile === '??') return t('hidden');
  return t('tile', { colour: t(tile[0] ?? ''), shape: t(tile[1] ?? '') });
}

/** The cell that a text such as `3,-2` names, or null. */
export function cellOf(part: string): { x: number; y: number } | null {
  const found = /^(-?\d+),(-?\d+)$/.exec(part);
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}

/** The part of the grid to show: the tiles with a margin, and at least 9 by 7 cells. */
export function boxOf(tiles: Laid[]): { x: number; y: number; width: number; height: number } {
  const xs = [...tiles.map((one) => one.x), 0];
  const ys = [...tiles.map((one) => one.y), 0];
  const [left, right, top, bottom] = [
    Math.min(...xs) - 2,
    Math.max(...xs) + 3,
    Math.min(...ys) - 2,
    Math.max(...ys) + 3,
  ];
  const [wide, high] = [Math.max(0, 9 - (right - left)), Math.max(0, 7 - (bottom - top))];
  return {
    x: left - wide / 2,
    y: top - high / 2,
    width: right - left + wide,
    height: bottom - top + high,
  };
}

/** The empty cells next to tiles. */
export function frontier(tiles: Laid[]): string[] {
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
