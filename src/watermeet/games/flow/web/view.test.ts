import { expect, test } from 'vitest';
import type { View } from '@watermeet/api/wire';
import { moveNews } from './news';
import {
  channel,
  flowOf,
  isCell,
  kindOf,
  layOf,
  riskOf,
  split,
  waveOf,
  type FlowBoard,
} from './view';

test('moves are split into cell and edges, card and target', () => {
  expect(split('NE@c4')).toEqual(['c4', 'NE']);
  expect(split('X@c4')).toEqual(['c4', 'X']);
  expect(split('bird:a2')).toEqual(['bird', 'a2']);
  expect(split('draw')).toEqual(['draw']);
  expect([layOf('bird:a2'), isCell('a2'), isCell('bend')]).toEqual([null, true, false]);
});

const cell = (name: string, edges: string, wet = true): FlowBoard['cells'][number] => ({
  name,
  column: 'abcdefg'.indexOf(name[0]!),
  row: Number(name[1]) - 1,
  tile: 'bend',
  edges,
  bird: false,
  wet,
  scenario: false,
});

test('water runs from the animals, edge by edge', () => {
  const board = {
    cells: [cell('a1', 'NE'), cell('a2', 'SE'), cell('b2', 'WE'), cell('d4', 'N', false)],
    animals: [{ cell: 'a1' }],
  } as unknown as FlowBoard;
  const flow = flowOf(board);
  expect([...flow]).toEqual([
    ['a2', { edge: 'S', depth: 1 }],
    ['b2', { edge: 'W', depth: 2 }],
  ]);
});

test('dice name lines, and the middle has none', () => {
  const moves = ['NE@c4', 'white:3', 'black:4'].map((move) => ({ move }));
  expect(waveOf(moves)).toEqual({ white: 3, black: 4, row: 2, column: 4 });
  expect(waveOf([{ move: 'black:6' }])).toEqual({ white: null, black: 6, row: null, column: 6 });
  expect(waveOf([{ move: 'draw' }, { move: null }])).toBeNull();
});

test('channels are straight or bend', () => {
  expect(channel('N', 'S')).toBe('M50 0L50 100');
  expect(channel('N', 'E')).toContain('Q50 50');
});

test('a wave threatens the tiles of a path, and a bird saves its tile once', () => {
  const path = [cell('b1', 'EW'), cell('c1', 'EW')];
  const animal = {
    name: 'cat',
    cell: 'a1',
    connected: true,
    path: ['a1', 'b1', 'c1'],
    missing: 0,
    missing_cells: [],
  };
  const board = { cells: path, boat: { cell: 'd4', edges: '' }, calm: false } as FlowBoard;
  expect(riskOf(animal, board)).toBeCloseTo(16 / 36); // Row 1, or columns b and c.
  path.forEach((one) => (one.bird = true));
  expect(riskOf(animal, board)).toBeCloseTo(2 / 36);
  expect(riskOf(animal, { ...board, calm: true })).toBe(0);
  expect(['NS', 'NE', 'N', 'NES', 'NESW', 'X'].map(kindOf)).toEqual([
    'straight',
    'bend',
    'obstacle',
    'tee',
    'cross',
    'scenario',
  ]);
});

test('a wave counts what is gone, although a tile was placed just before it', () => {
  const view = (...cells: string[]): View =>
    ({
      board: { cells: cells.map((name) => cell(name, 'NE')), animals: [], dice: {}, due: 'turn' },
    }) as unknown as View;
  const t = (key: string, values?: Record<string, unknown>): string =>
    values ? `${key} ${String(values['count'])}` : key;
  const played = { move: 'black:6', seat: null, before: view('a1', 'g2', 'g3') };
  expect(moveNews(played, view('a1', 'e7'), t, [])).toBe('wave swept 2');
});
