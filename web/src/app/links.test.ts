import { expect, test } from 'vitest';
import { formatPlaces, MAX_LINK, pack, parsePlaces, segmentsOf, unpack } from './links';

test('a record in a link is what it was', async () => {
  const text = `game: some@1\n\n{żółw 🐢} ${'1. a1 ( 1. b2 ) '.repeat(500)}\n`;
  const letters = (await pack(text))!;
  expect(letters).toMatch(/^[\w-]+$/);
  expect(letters.length).toBeLessThan(MAX_LINK);
  expect(await unpack(letters)).toBe(text);
});

test('what is no link, or unfolds without an end, is nothing', async () => {
  for (const letters of ['', 'abc', '!!!', 'a'.repeat(999)])
    expect(await unpack(letters)).toBeNull();
  const large = await pack('a'.repeat(60_000));
  expect(await unpack(large!)).toHaveLength(60_000);
  const noise = Array.from({ length: 12_000 }, () => Math.random().toString(36).slice(2)).join('');
  expect(await pack(noise)).toBeNull();
});

test('a place in the tree is short', () => {
  for (const places of [[], [0, 0, 0], [1], [0, 0, 2, 0, 1]])
    expect(parsePlaces(formatPlaces(places))).toEqual(places);
  expect(formatPlaces([0, 0, 2, 0, 1])).toBe('2-2-1-1-0');
  expect(parsePlaces('x')).toEqual([]);
});

test('every address has segments, also one that nobody encoded', () => {
  expect(segmentsOf('/user/Z%C3%B3%C5%82w/')).toEqual(['user', 'Zółw']);
  expect(segmentsOf('/user/100%')).toEqual(['user', '100%']);
});
