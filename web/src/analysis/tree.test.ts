import { expect, test } from 'vitest';
import {
  addLine,
  annotate,
  cleanComment,
  formatRecord,
  mainFrom,
  nodeAt,
  pathBy,
  placesOf,
  promote,
  remove,
  rootOf,
  siblingOf,
  sizeOf,
  variationOf,
} from './tree';
import type { RecordTree } from '../api/wire';

const HEADERS = ['game: some@1', 'seats: Ada, Bob'];
/** `1. a1 @1.5 !? {a corner} ( 1. b2 ! 2. c3 {far} ( 2. a3 ) ) ( 1. c1 ) 2. c1 ??`, as the server reads it. */
const tree = (): RecordTree => ({
  game: 'some',
  version: 1,
  options: {},
  has_secrets: false,
  headers: HEADERS,
  seats: ['Ada', 'Bob'],
  comment: 'two ways',
  position: 'start',
  result: '',
  nodes: (
    [
      [-1, 'a1', 0, '!?', 'a corner', 1.5],
      [-1, 'b2', 0, '!', '', null],
      [1, 'c3', 1, '', 'far', null],
      [1, 'a3', 1, '', '', null],
      [-1, 'c1', 0, '', '', null],
      [0, 'c1', 1, '??', '', null],
      [5, 'six', null, '', '', null],
    ] as const
  ).map(([parent, move, seat, symbol, comment, seconds]) => ({
    ...{ parent, move, seat, symbol, comment, seconds },
    position: `after ${move}`,
    result: '',
  })),
});
const TEXT = `game: some@1
seats: Ada, Bob

{two ways} 1. a1 @1.5 !? {a corner} ( 1. b2 ! 2. c3 {far} ( 2. a3 ) ) ( 1. c1 ) 2. c1 ??
~six
`;

test('a tree becomes the record that it was', () => {
  const root = rootOf(tree());
  expect(formatRecord(HEADERS, root)).toBe(TEXT);
  expect(sizeOf(root)).toBe(7);
});

test('what is played follows what is there, or becomes a variation', () => {
  const root = rootOf(tree());
  const step = { move: 'b2', seat: 0, position: 'p', result: '' };
  const [same, path] = addLine(root, [], [step]);
  expect(same).toBe(root);
  const [more, end] = addLine(same, path, [{ ...step, move: 'b1', seat: 1 }]);
  expect(nodeAt(more, end).move).toBe('b1');
  expect(placesOf(more, end)).toEqual([1, 2]);
  expect(nodeAt(root, end).move).toBe('b2'); // The old tree is as it was.
});

test('variations are promoted, removed and stepped through', () => {
  const root = rootOf(tree());
  const far = pathBy(root, [1, 1]);
  expect(nodeAt(root, far).move).toBe('a3');
  expect(variationOf(root, far)).toEqual(far);
  expect(variationOf(root, pathBy(root, [0, 0]))).toBeNull();
  const once = promote(root, far);
  const twice = promote(once, far);
  expect(placesOf(twice, far)).toEqual([0, 0]);
  expect(formatRecord(HEADERS, twice)).toContain('{two ways} 1. b2 ! ( 1. a1 @1.5 !?');
  expect(nodeAt(root, siblingOf(root, pathBy(root, [0]), -1)!).move).toBe('c1');
  expect(nodeAt(root, siblingOf(root, pathBy(root, [0, 0, 0]), 1)!).move).toBe('b2');
  const without = remove(root, pathBy(root, [1]));
  expect(sizeOf(without)).toBe(4);
  expect(mainFrom(without, [])).toHaveLength(3);
});

test('comments fit into a record', () => {
  const root = annotate(rootOf(tree()), [], { comment: cleanComment(' a {b}\n c ') });
  expect(formatRecord(HEADERS, root)).toContain('\n{a (b) c} 1. a1');
});

test('a record ends with the result of its main line, and is wrapped', () => {
  const root = rootOf(tree());
  const steps = Array.from({ length: 40 }, (_, place) => ({
    ...{ move: `m${place}`, seat: place % 2, position: '' },
    result: place === 39 ? '1 -1' : '',
  }));
  const [long] = addLine(root, pathBy(root, [0, 0, 0]), steps);
  const text = formatRecord(HEADERS, long);
  expect(text).toContain('\nresult: 1 -1\n\n{two');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(92);
});
