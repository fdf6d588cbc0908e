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
  it.clicked({ pointerType: 'touch' } as unknown as MouseEvent, 'x');
  expect([it.tried, pick.mock.calls.length]).toEqual(['x', 0]);
  it.clicked({ pointerType: 'touch' } as unknown as MouseEvent, 'x');
  expect(it.at('x')?.part).toBe('b');
  it.clicked({ pointerType: 'mouse' } as unknown as MouseEvent, 'x');
  expect(pick).toHaveBeenCalledWith('b');
});

test('Enter tries, Enter again lays', () => {
  const { it, pick } = turning();
  it.entered('y');
  expect(it.target).toBe('y');
  it.entered('y');
  expect(pick).toHaveBeenCalledWith('a');
});
