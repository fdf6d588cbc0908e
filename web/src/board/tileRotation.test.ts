import { expect, test, vi } from 'vitest';
import { MoveBuilder } from './moveBuilder.svelte';
import { TileRotation } from './tileRotation.svelte';

function rotation(): { it: TileRotation; pick: ReturnType<typeof vi.fn> } {
  const builder = new MoveBuilder((move) => move.split('@').reverse());
  builder.offer(['a@x', 'b@x', 'a@y'].map((move, action) => ({ action, move })));
  const pick = vi.fn();
  const read = (move: string): { cell: string; part: string } => ({
    part: move[0]!,
    cell: move[2]!,
  });
  return { it: new TileRotation(() => builder, read, pick), pick };
}

test('rotates among the legal placements on a cell', () => {
  const { it } = rotation();
  expect(it.at('x')?.part).toBe('a');
  it.rotate();
  expect([it.at('x')?.part, it.at('y')?.part, it.at('z')]).toEqual(['b', 'a', null]);
  it.rotate(-3);
  expect(it.at('x')?.part).toBe('a');
});

test('a click places, a tap previews, a second tap rotates', () => {
  const { it, pick } = rotation();
  it.choose('x', 'touch');
  expect([it.previewed, pick.mock.calls.length]).toEqual(['x', 0]);
  it.choose('x', 'touch');
  expect(it.at('x')?.part).toBe('b');
  it.choose('x', 'mouse');
  expect(pick).toHaveBeenCalledWith('b');
});

test('Enter previews, Enter again places', () => {
  const { it, pick } = rotation();
  it.choose('y', 'keys');
  expect(it.target).toBe('y');
  it.choose('y', 'keys');
  expect(pick).toHaveBeenCalledWith('a');
});

test('the wheel rotates a hovering tile only', () => {
  const { it } = rotation();
  expect(it.wheel(1)).toBe(false);
  it.hovered = 'x';
  expect([it.wheel(1), it.at('x')?.part]).toEqual([true, 'b']);
  it.choose('z', 'mouse');
  expect(it.previewed).toBeNull();
});
