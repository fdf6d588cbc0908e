import { expect, test, vi } from 'vitest';
import { MoveBuilder } from './builder.svelte';
import { Turning } from './turning.svelte';

function turning(): { it: Turning; pick: ReturnType<typeof vi.fn> } {
  const builder = new MoveBuilder((move) => move.split('@').reverse());
  builder.offer(['a@x', 'b@x', 'a@y'].map((move, action) => ({ action, move })));
  const pick = vi.fn();
  const read = (move: string): { cell: string; part: string } => ({ part: move[0]!, cell: move[2]! });
  return { it: new Turning(() => builder, read, pick), pick };
}

test('turns among what can be played on the cell', () => {
  const { it } = turning();
  expect(it.at('x')?.part).toBe('a');
  it.rotate();
  expect([it.at('x')?.part, it.at('y')?.part, it.at('z')]).toEqual(['b', 'a', null]);
  it.rotate(-3);
  expect(it.at('x')?.part).toBe('a');
});

test('a click lays, a tap tries, a second tap turns', () => {
  const { it, pick } = turning();
  it.choose('x', 'touch');
  expect([it.tried, pick.mock.calls.length]).toEqual(['x', 0]);
  it.choose('x', 'touch');
  expect(it.at('x')?.part).toBe('b');
  it.choose('x', 'mouse');
  expect(pick).toHaveBeenCalledWith('b');
});

test('Enter tries, Enter again lays', () => {
  const { it, pick } = turning();
  it.choose('y', 'keys');
  expect(it.target).toBe('y');
  it.choose('y', 'keys');
  expect(pick).toHaveBeenCalledWith('a');
});

test('the wheel turns what hovers, and nothing else', () => {
  const { it } = turning();
  expect(it.wheel(1)).toBe(false);
  it.hovered = 'x';
  expect([it.wheel(1), it.at('x')?.part]).toEqual([true, 'b']);
  it.choose('z', 'mouse');
  expect(it.tried).toBeNull();
});
