// What Flow's view.py sends, as the board reads it.
import type { View } from '@watermeet/lib/match.svelte';

export interface Cell {
  name: string;
  column: number;
  row: number;
  tile: string | null;
  edges: string;
  bird: boolean;
  wet: boolean;
  scenario: boolean;
}
export interface Animal {
  name: string;
  cell: string;
  joined: boolean;
  way: string[];
  lacking: number | null;
}
export interface FlowBoard {
  cells: Cell[];
  animals: Animal[];
  boat: { cell: string; edges: string };
  due: string;
  mover: number | null;
  tile: string | null;
  turns_left: number | null;
  time_up: boolean;
  dice: { rolled: string | null; white: number | null };
  tiles: { down: Record<string, number>; up: Record<string, number>; discarded: Record<string, number> };
  face_down: number;
  birds_left: number;
  won: boolean | null;
}

export function boardOf(view: View): FlowBoard {
  return view.board as unknown as FlowBoard;
}

export function handOf(view: View, seat: number): string[] {
  return (view.seats[seat]?.['hand'] as string[] | undefined) ?? [];
}

/** A move's parts: `NE@c4` is a cell and how the tile lies, `bird:a2` a card and a cell. */
export function split(move: string): string[] {
  const laid = layOf(move);
  return laid ? [laid.cell, laid.part] : move.split(':');
}

/** The cell and the edges of a move that lays a tile; null for others. */
export function layOf(move: string): { cell: string; part: string } | null {
  const found = /^([NESWX]+)@([a-g][1-7])$/.exec(move);
  return found ? { cell: found[2]!, part: found[1]! } : null;
}

export function isCell(part: string): boolean {
  return /^[a-g][1-7]$/.test(part);
}

/** Where channels leave a cell of 100 units, from its middle. */
export const ENDS: Record<string, string> = { N: 'V0', E: 'H100', S: 'V100', W: 'H0' };
/** The edges of a kind of tile, as it is shown in a hand. */
export const USUAL: Record<string, string> = { straight: 'NS', bend: 'NE', cross: 'NESW', obstacle: 'N', tee: 'NES' };
