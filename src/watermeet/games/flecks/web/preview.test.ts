import { expect, test } from 'vitest';
import { cellName, cellsOf } from '@watermeet/board/hexagon';
import type { View } from '@watermeet/api/wire';
import { preview } from './preview';
import { boardOf } from './view';

const SIDE = 3;
const view = {
  to_move: 0,
  legal: [],
  seats: [],
  board: {
    size: SIDE,
    turn: 'r',
    due: 'either',
    cells: cellsOf(SIDE).map((cell) => {
      const name = cellName(cell, SIDE);
      return { ...cell, name, borders: '', stone: cell.r === 0 && cell.q < 0 ? 'r' : '' };
    }),
  },
} as unknown as View;
const stones = (found: View | null): string[] =>
  boardOf(found!).cells.flatMap(({ name, stone }) => (stone ? [name] : []));
const [rear, front] = stones(view);

test('a row is where it moves to', () => {
  const found = preview(view, `${rear}-e2`);
  expect(stones(found)).toHaveLength(2);
  expect(stones(found)).not.toContain(rear);
  expect(stones(found)).not.toContain(front);
  expect(found?.to_move).toBe(-1);
});

test('after a stone one may stop', () => {
  const free = boardOf(view).cells.find(({ stone }) => !stone)!.name;
  const found = preview(view, free)!;
  expect(stones(found)).toHaveLength(3);
  expect([found.to_move, found.legal.map(({ move }) => move)]).toEqual([0, ['stop']]);
});
