import { beforeEach, expect, test } from 'vitest';
import { settings } from '../app/settings.svelte';
import { noteInput } from './confirmation';
import { MoveBuilder } from './moveBuilder.svelte';
import { TileRotation } from './tileRotation.svelte';

function rotation(): { it: TileRotation; builder: MoveBuilder; played: string[] } {
  const builder = new MoveBuilder((move) => move.split('@').reverse());
  builder.offer(['a@x', 'b@x', 'a@y'].map((move, action) => ({ action, move })));
  const played: string[] = [];
  const read = (move: string): { cell: string; part: string } => ({
    part: move[0]!,
    cell: move[2]!,
  });
  const pick = (part: string): void => {
    const complete = builder.choose(part);
    if (complete) played.push(complete.move);
  };
  return { it: new TileRotation(() => builder, read, pick), builder, played };
}
beforeEach(() => {
  settings.confirm = 'touch';
  noteInput('mouse');
});

test('rotates among the legal placements on a cell', () => {
  const { it } = rotation();
  expect(it.at('x')?.part).toBe('a');
  it.rotate();
  expect([it.at('x')?.part, it.at('y')?.part, it.at('z')]).toEqual(['b', 'a', null]);
  it.rotate(-3);
  expect(it.at('x')?.part).toBe('a');
});

test('a tile waits where it was clicked, is rotated there, and placed by another click', () => {
  const { it, builder, played } = rotation();
  it.choose('x');
  expect([it.previewed, builder.complete?.move, played]).toEqual(['x', 'a@x', []]);
  it.rotate();
  expect(builder.complete?.move).toBe('b@x');
  it.choose('y');
  expect([it.previewed, played]).toEqual(['y', []]);
  it.choose('x');
  it.choose('x');
  expect([it.previewed, played]).toEqual([null, ['b@x']]);
});

test('who wants no question places by one click, but a finger sees the tile first', () => {
  settings.confirm = 'never';
  const { it, played } = rotation();
  it.choose('y');
  expect(played).toEqual(['a@y']);
  noteInput('touch');
  it.choose('x');
  expect([it.previewed, played]).toEqual(['x', ['a@y']]);
});

test('the wheel rotates a tile that is shown', () => {
  const { it } = rotation();
  expect(it.wheel(1)).toBe(false);
  it.hovered = 'x';
  expect([it.wheel(1), it.at('x')?.part]).toEqual([true, 'b']);
  it.choose('z');
  expect(it.previewed).toBeNull();
});
