import { expect, test } from 'vitest';
import {
  cellOf,
  changesBy,
  edgeMiddle,
  fromOwner,
  goalsOf,
  isClosed,
  pairsOf,
  sideMiddle,
  split,
  strandPath,
  tilePaths,
  ROTATIONS,
  type FlowsBoard,
  type Strand,
} from './view';

test('moves are split into cell and turned tile', () => {
  expect(split('T1.2@d4')).toEqual(['d4', 'T1.2']);
  expect(split('T1.2xd4')).toEqual(['d4', 'T1.2']);
  expect(split('side:3')).toEqual(['side:3']);
  expect([cellOf('T0.1@a10'), cellOf('draw:T1')]).toEqual(['a10', null]);
});

test('edge 0 lies in the south-west, edge 3 opposite', () => {
  expect(edgeMiddle(0, 10).x).toBeLessThan(0);
  expect(edgeMiddle(0, 10).y).toBeGreaterThan(0);
  expect(edgeMiddle(3, 10).x).toBeCloseTo(-edgeMiddle(0, 10).x);
});

test('a tile has three strands, and rotation moves them on', () => {
  expect(tilePaths('T2.0', 10)).toHaveLength(3);
  expect(tilePaths('T2.1', 10)).not.toEqual(tilePaths('T2.0', 10));
  expect(tilePaths('??', 10)).toEqual([]);
});

test('a tile lies in as many ways as differ', () => {
  const ways = (kind: string): number => {
    const told = [0, 1, 2, 3, 4, 5].map((turn) =>
      pairsOf(`${kind}.${turn}`)
        .map((pair) => [...pair].sort().join(''))
        .sort()
        .join(),
    );
    return new Set(told).size;
  };
  expect(Object.keys(ROTATIONS).map(ways)).toEqual(Object.values(ROTATIONS));
});

test('a strand runs from the side of its owner', () => {
  const board = {
    sides: [
      { side: 0, seat: 1 },
      { side: 3, seat: null },
    ],
  } as unknown as FlowsBoard;
  const strand: Strand = {
    steps: [
      ['a1', 2, 5],
      ['b1', 1, 4],
    ],
    ends: [
      { kind: 'open', cell: 'a2' },
      { kind: 'rim', side: 0 },
    ],
    owners: [1],
    wins: false,
  };
  expect(fromOwner(strand, board)).toEqual([
    ['b1', 4, 1],
    ['a1', 5, 2],
  ]);
  expect(
    fromOwner(
      {
        ...strand,
        ends: [
          { kind: 'rim', side: 0 },
          { kind: 'open', cell: 'a2' },
        ],
      },
      board,
    ),
  ).toEqual(strand.steps);
  expect(fromOwner({ ...strand, owners: [] }, board)).toEqual(strand.steps);
});

test('side 0 is below, side 3 above', () => {
  expect(sideMiddle(0, 100, 10).y).toBeGreaterThan(0);
  expect(sideMiddle(3, 100, 10).y).toBeCloseTo(-sideMiddle(0, 100, 10).y);
});

test('a strand is one path over its cells', () => {
  const places = new Map([
    ['a1', { x: 0, y: 0 }],
    ['b1', { x: 17.32, y: 0 }],
  ]);
  const path = strandPath(
    [
      ['a1', 1, 4],
      ['b1', 1, 2],
    ],
    places,
    10,
  );
  expect(path.match(/M/g)).toHaveLength(1);
  expect(path).toMatch(/^M-8\.66 .*L8\.66 .*A5 5/);
  expect(strandPath([], places, 10)).toBe('');
});

test('the side opposite a player is their goal, unless somebody plays from there', () => {
  const seats = [0, 1, null, null, 2, null];
  const board = { sides: seats.map((seat, side) => ({ side, seat })) } as unknown as FlowsBoard;
  expect([...goalsOf(board)]).toEqual([[3, 0]]);
});

test('a tile that makes a route longer or shorter is noticed', () => {
  const board = (...left: (number | null)[]): FlowsBoard =>
    ({ teams: left.map((tiles_to_go, seat) => ({ seats: [seat], tiles_to_go })) }) as never;
  expect(changesBy(board(3, 2, null), board(5, 2, 1))).toEqual([{ seats: [0], from: 3, to: 5 }]);
});

test('a strand from rim to rim that connects nothing is closed', () => {
  const strand = (kind: 'rim' | 'open', owners: number[], wins = false): Strand => ({
    steps: [],
    ends: [{ kind: 'rim' }, { kind }],
    owners,
    wins,
  });
  expect(isClosed(strand('rim', [0]))).toBe(true);
  expect([strand('open', [0]), strand('rim', []), strand('rim', [0], true)].some(isClosed)).toBe(
    false,
  );
});
