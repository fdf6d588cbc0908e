import { describe, expect, test } from 'vitest';
import {
  arrivals,
  landing,
  lineOf,
  rim,
  rowAfter,
  rowDragged,
  rowOf,
  shiftBy,
  split,
  stretches,
  type FlecksBoard,
} from './view';

const cell = (
  name: string,
  q: number,
  r: number,
  stone: '' | 'r' = '',
): FlecksBoard['cells'][number] => ({ name, q, r, stone, borders: '' });
const board = {
  size: 4,
  cells: [cell('a1', 0, 0, 'r'), cell('b1', 1, 0, 'r'), cell('c1', 2, 0), cell('d1', 3, 0)],
} as unknown as FlecksBoard;

describe('dragging a stone of a row', () => {
  const legal =
    (...moves: string[]) =>
    (move: string) =>
      moves.includes(move);
  const all = legal('a1-e1', 'a1-e2', 'b1-e1', 'b1-e2');

  test('moves the whole row as far as the stone', () => {
    expect(rowDragged(board, all, 'b1', 'c1')).toEqual({ rear: 'a1', way: '>e1' });
    expect(rowDragged(board, all, 'a1', 'b1')).toEqual({ rear: 'a1', way: '>e1' });
    expect(rowDragged(board, all, 'a1', 'c1')).toEqual({ rear: 'a1', way: '>e2' });
  });

  test('moves what can be moved, and nothing to where it cannot go', () => {
    expect(rowDragged(board, legal('b1-e2'), 'b1', 'd1')).toEqual({ rear: 'b1', way: '>e2' });
    expect(rowDragged(board, legal(), 'b1', 'c1')).toBeNull();
    expect(rowDragged(board, all, 'c1', 'd1')).toBeNull();
  });
});

describe('moves', () => {
  test('are split into the rear stone and the shift', () => {
    expect(split('e5-ne2')).toEqual(['e5', '>ne2']);
    expect(split('e5')).toEqual(['e5']);
    expect(split('stop')).toEqual(['stop']);
    expect(split('e5-e1')).not.toContain('e1');
  });

  test('land where the front of the row lands', () => {
    expect(landing(board, 'a1', '>e1')).toBe('c1');
    expect(landing(board, 'a1', '>e2')).toBe('d1');
    expect(landing(board, 'b1', '>e1')).toBe('c1');
    expect(landing(board, 'a1', '>w1')).toBeNull();
    expect([landing(board, 'c1', '>e1'), landing(board, 'a1', 'e1')]).toEqual([null, null]);
  });
});

describe('the board', () => {
  test('a row is moved as a whole', () => {
    expect(rowOf(board, 'a1', '>e2').map(({ q }) => q)).toEqual([0, 1]);
    expect(rowAfter(board, 'a1', '>e2').map(({ q }) => q)).toEqual([2, 3]);
  });

  test('the stones of a row are followed to where they arrive', () => {
    const after = {
      cells: [cell('a1', 0, 0), cell('b1', 1, 0), cell('c1', 2, 0, 'r'), cell('d1', 3, 0, 'r')],
    } as unknown as FlecksBoard;
    expect(arrivals(board, after, 'a1-e2')).toEqual(['c1', 'd1']);
    expect(arrivals(after, board, 'a1-e2')).toEqual([]); // Stepping back in a replay.
    expect(arrivals(board, after, 'c1')).toEqual([]);
    expect(shiftBy(board, 'a1-e2')).toMatchObject({ direction: 0, steps: 2, to: { q: 2, r: 0 } });
  });

  test('a line is read from the left', () => {
    expect(lineOf(board, 'c1').map(({ name }) => name)).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  test('every part of the border has one letter', () => {
    const around = (q: number, r: number, borders: string): FlecksBoard['cells'][number] => ({
      name: `${q},${r}`,
      q,
      r,
      stone: '',
      borders,
    });
    const small = {
      cells: [
        around(0, 0, ''),
        around(1, 0, 'r'),
        around(0, 1, 'b'),
        around(-1, 1, 'b'),
        around(-1, 0, 'r'),
        around(0, -1, 'b'),
        around(1, -1, 'b'),
      ],
    } as unknown as FlecksBoard;
    const edges = rim(small, 10);
    expect(edges).toHaveLength(18);
    expect(
      stretches(edges, 10)
        .map(({ colour }) => colour)
        .sort(),
    ).toEqual(['b', 'b', 'r', 'r']);
  });
});
