// What Qwirkle's view.py sends, as the board reads it.
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

/** The tiles that a seat holds; `??` are not to be seen. */
export function handOf(view: View, seat: number): string[] {
  return (view.seats[seat]?.['hand'] as string[] | undefined) ?? [];
}

/** A move's parts: `Rx@2,-1` is a tile and a cell, `trade:Rx` the word and a tile. */
export function split(move: string): string[] {
  return move.split(/[@:]/);
}

/** A tile in words. */
export function tileWords(tile: string, say: Say): string {
  if (tile === '??') return say('hidden');
  return say('tile', { colour: say(tile[0] ?? ''), shape: say(tile[1] ?? '') });
}

/** A cell of a text such as `3,-2`; null if it is none. */
export function cellOf(part: string): { x: number; y: number } | null {
  const found = /^(-?\d+),(-?\d+)$/.exec(part);
  return found ? { x: Number(found[1]), y: Number(found[2]) } : null;
}
