import { describe, expect, test } from 'vitest';
import { MoveBuilder, defaultSplit } from './moveBuilder.svelte';
import type { LegalMove } from '../api/wire';

const legal = (...moves: string[]): LegalMove[] => moves.map((move, action) => ({ action, move }));
function builder(...moves: string[]): MoveBuilder {
  const found = new MoveBuilder();
  found.offer(legal(...moves));
  return found;
}

describe('splitting', () => {
  test('at signs and colons part a move', () => {
    expect(defaultSplit('Rx@2,-1')).toEqual(['Rx', '2,-1']);
    expect(defaultSplit('trade:Rx')).toEqual(['trade', 'Rx']);
    expect(defaultSplit('stop')).toEqual(['stop']);
  });
});

describe('choosing', () => {
  test('one part is a whole move', () => {
    const found = builder('a1', 'b2');
    expect(found.choose('b2')).toEqual({ action: 1, move: 'b2' });
  });

  test('parts in any order build the same move', () => {
    for (const order of [
      ['Rx', '0,0'],
      ['0,0', 'Rx'],
    ]) {
      const found = builder('Rx@0,0', 'Rx@1,0', 'Bc@0,0');
      expect(found.choose(order[0]!)).toBeNull();
      expect(found.choose(order[1]!)?.move).toBe('Rx@0,0');
    }
  });

  test('what comes next is what the actions have', () => {
    const found = builder('Rx@0,0', 'Rx@1,0', 'Bc@0,0', 'end');
    expect([...found.next.keys()]).toEqual(['Rx', '0,0', '1,0', 'Bc', 'end']);
    found.choose('Bc');
    expect([...found.next.keys()]).toEqual(['0,0']);
    expect(found.only?.move).toBe('Bc@0,0');
  });

  test('a part is let go by choosing it again', () => {
    const found = builder('Rx@0,0', 'Bc@1,0');
    found.choose('Rx');
    found.choose('Rx');
    expect(found.chosen).toEqual([]);
  });

  test('a part that does not fit replaces what was chosen', () => {
    const found = builder('Rx@0,0', 'Bc@1,0');
    found.choose('Rx');
    expect(found.choose('1,0')).toBeNull();
    expect(found.chosen).toEqual(['1,0']);
    found.choose('nowhere');
    expect(found.chosen).toEqual(['1,0']);
  });

  test('the same part twice', () => {
    const found = new MoveBuilder((move) => move.split('-'));
    found.offer(legal('a-a', 'a-b'));
    found.choose('a');
    expect(found.choose('a')?.move).toBe('a-a');
  });

  test('back and clear', () => {
    const found = builder('Rx@0,0');
    found.choose('Rx');
    found.back();
    expect(found.chosen).toEqual([]);
    found.choose('Rx');
    found.clear();
    expect(found.chosen).toEqual([]);
  });
});

describe('a move that waits', () => {
  function waiting(...moves: string[]): MoveBuilder {
    const found = builder(...moves);
    found.waits = (move) => move !== 'end';
    return found;
  }

  test('is played when its last part is chosen again', () => {
    const found = waiting('a1', 'b2', 'end');
    expect([found.choose('b2'), found.complete?.move]).toEqual([null, 'b2']);
    expect([found.choose('b2')?.move, found.complete]).toEqual(['b2', null]);
    expect(found.choose('end')?.move).toBe('end');
  });

  test('gives way to another choice, which was offered meanwhile', () => {
    const found = waiting('Rx@0,0', 'Rx@1,0', 'Bc@1,0');
    found.choose('Rx');
    found.choose('0,0');
    expect([...found.next.keys()]).toEqual(['0,0', '1,0']);
    expect([found.choose('1,0'), found.complete?.move]).toEqual([null, 'Rx@1,0']);
    expect([found.choose('Bc'), found.chosen]).toEqual([null, ['Bc']]);
  });

  test('is dropped with one of its first parts, or taken back to them', () => {
    const found = waiting('Rx@0,0', 'Bc@1,0');
    found.take(0);
    found.choose(found.chosen[0]!);
    expect(found.chosen).toEqual([]);
    found.take(0);
    found.back();
    expect(found.chosen).toEqual(['Rx']);
  });
});

describe('a new position', () => {
  test('keeps what can still be played', () => {
    const found = builder('Rx@0,0', 'Rx@1,0');
    found.choose('Rx');
    found.offer(legal('Rx@5,5'));
    expect(found.chosen).toEqual(['Rx']);
    found.offer(legal('Bc@5,5'));
    expect(found.chosen).toEqual([]);
  });
});

describe('whole moves', () => {
  test('a legal move and its beginning are allowed', () => {
    const found = builder('T1.0@d4', 'T1.1@d4', 'swap');
    expect(['T1.1@d4', 'T1', 'T2@d4'].map((move) => found.allows(move))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('an action by its number is the same move', () => {
    const found = builder('Rx@0,0', 'Rx@1,0');
    expect(found.take(1)?.move).toBe('Rx@1,0');
    expect(found.complete?.move).toBe('Rx@1,0');
  });
});
