import { expect, test } from 'vitest';
import { chanceCount, groupTurns, replayStops, stopAt } from './turns';
import type { Move } from '../api/wire';

const movesOf = (...list: [number | null, string | null][]): Move[] =>
  list.map(([seat, move], seq) => ({
    seq,
    at: 0,
    seat,
    move,
    spent_ms: 0,
    by_timer: false,
    action: null,
  }));
const MOVES = movesOf(
  [null, null],
  [null, null],
  [0, 'a1'],
  [0, 'end'],
  [null, 'draw:x'],
  [1, null],
  [1, null],
  [0, 'b2'],
);

test('draws are folded away', () => {
  const turns = groupTurns(MOVES, false);
  expect(turns.map((turn) => turn.seat)).toEqual([0, 1, 0]);
  expect(turns[0]!.parts.map((part) => part.move)).toEqual(['a1', 'end']);
  expect(chanceCount(MOVES)).toBe(3);
});

test('draws are shown when asked for; hidden ones in a row are one', () => {
  const turns = groupTurns(MOVES, true);
  expect(turns.map((turn) => turn.seat)).toEqual([null, 0, null, 1, 0]);
  expect(turns[0]!.parts).toEqual([{ ply: 2, move: null, count: 2 }]);
  expect(turns[3]!.parts).toEqual([{ ply: 7, move: null, count: 2 }]);
});

test('what the clock said is no draw', () => {
  const moves = movesOf([0, 'a1'], [null, 'time'], [null, 'white:3']);
  moves[1]!.by_timer = true;
  expect(groupTurns(moves, false).map((turn) => turn.isClock)).toEqual([false, true]);
  expect(chanceCount(moves)).toBe(1);
});

test('a part leads to the position after it', () => {
  expect(groupTurns(MOVES, false).flatMap((turn) => turn.parts.map((part) => part.ply))).toEqual([
    3, 4, 7, 8,
  ]);
});

test('a swap is a line of its own, also where it is a chance event', () => {
  const moves = movesOf(
    [0, 'a1'],
    [1, 'swap'],
    [1, 'b2'],
    [1, 'c3'],
    [null, 'wave:4'],
    [null, 'x'],
  );
  const captions = (move: string): string | null =>
    move === 'swap' ? 'Ben swaps' : move.startsWith('wave') ? 'A wave' : null;
  const turns = groupTurns(moves, false, captions);
  expect(turns.map((turn) => turn.caption ?? turn.parts.map((part) => part.move))).toEqual([
    ['a1'],
    'Ben swaps',
    ['b2', 'c3'],
    'A wave',
  ]);
});

test('a replay stops where somebody is about to move, not at draws and ends of turns', () => {
  const stops = replayStops(
    MOVES,
    () => null,
    (move) => move === 'end',
  );
  // Before a1 with the draws made, before each hidden move, before b2, and at the end.
  expect(stops).toEqual([2, 5, 6, 7, 8]);
  expect(stops[stopAt(stops, 3)]).toBe(5); // After a1, its turn has ended and the draw is made.
  expect(stopAt(stops, 0)).toBe(0);
  expect(replayStops([])).toEqual([0]);
});

test('an action that only ends a turn is not listed', () => {
  const turns = groupTurns(
    MOVES,
    false,
    () => null,
    (move) => move === 'end',
  );
  expect(turns[0]!.parts.map((part) => part.move)).toEqual(['a1']);
});
