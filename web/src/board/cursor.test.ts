import { describe, expect, test } from 'vitest';
import { step, type Spot } from './cursor';

const square: Spot[] = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => ({ key: `${x},${y}`, x, y })));
const hexagons: Spot[] = [0, 1, 2].flatMap((r) =>
  [0, 1, 2].map((q) => ({ key: `${q},${r}`, x: q + r / 2, y: r * 0.866 })),
);

describe('arrow keys', () => {
  test('lead straight on squares, and stop at the rim', () => {
    expect(step(square, '1,1', 'ArrowRight')).toBe('2,1');
    expect(step(square, '1,1', 'ArrowUp')).toBe('1,0');
    expect(step(square, '2,1', 'ArrowRight')).toBeNull();
    expect(step(square, '1,1', 'Enter')).toBeNull();
  });

  test('reach all rows of hexagons', () => {
    expect(step(hexagons, '1,1', 'ArrowRight')).toBe('2,1');
    expect(step(hexagons, '1,1', 'ArrowDown')).toMatch(/,2$/);
    expect(step(hexagons, '1,1', 'ArrowUp')).toMatch(/,0$/);
  });

  test('begin somewhere', () => {
    expect(step(square, 'nowhere', 'ArrowUp')).toBe('0,0');
  });
});
