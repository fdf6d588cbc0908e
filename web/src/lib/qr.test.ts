// Codes are held against the standard's own numbers, and against whole codes that the Python package
// qrcode 8.2 made of the same texts (level M, bytes, same mask).
import { describe, expect, test } from 'vitest';
import { checkWords, encode, formatBits, TooLong, versionBits } from './qr';

const SHORT = `
#######.#..#..#######
#.....#.##..#.#.....#
#.###.#..#..#.#.###.#
#.###.#.#.#...#.###.#
#.###.#..#.#..#.###.#
#.....#..####.#.....#
#######.#.#.#.#######
........#.###........
#.##.###.####.#..#.##
..#......#.###.##.#.#
#.###.######.###...##
#.#......###...###..#
#..##.###...###..#.#.
........#..#.##.#..##
#######.######.##....
#.....#.###......###.
#.###.#...#.#.#####..
#.###.#.##.#..#..#.#.
#.###.#.#...#.#..##..
#.....#...#..#..#...#
#######.#.#..#..###..
`.trim();
const picture = (code: boolean[][]): string => code.map((row) => row.map((dark) => (dark ? '#' : '.')).join('')).join('\n');
async function digest(code: boolean[][]): Promise<string> {
  const text = code.flat().map((dark) => (dark ? '1' : '0')).join('');
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...hash.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
const link = (length: number): string => `https://watermeet.example/match/${'x'.repeat(300)}`.slice(0, length);

test('the numbers of the standard', () => {
  // The worked example of version 1, level M.
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  expect(checkWords(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
  expect(formatBits(5).toString(2)).toBe('100000011001110');
  expect(versionBits(7).toString(2).padStart(18, '0')).toBe('000111110010010100');
});

test('a short text, module by module', () => {
  expect(picture(encode('Watermeet', 3))).toBe(SHORT);
});

describe('codes of links', () => {
  test.each([
    [10, 21, 3, '3af908f497e1236cdd8c6d2eb830bd7f'],
    [40, 29, 7, 'f34ef02ac97096c11a983a5f042d3112'],
    [60, 33, 2, 'c27f531a8a9bc40f574dd08f60cf4d99'],
    [100, 41, 0, 'c9b5b38685a5860818ddb965eb4690b9'],
    [150, 49, 2, '92333bf71b15ac20f86c4491dbd67da9'],
    [200, 57, 2, '807577fae0fbc0ea296874826e98dec1'],
  ])('%i bytes', async (length, size, mask, wanted) => {
    const code = encode(link(length), mask);
    expect(code).toHaveLength(size);
    expect(await digest(code)).toBe(wanted);
  });

  test('one of the eight masks is chosen', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, (_, mask) => digest(encode(link(60), mask))));
    expect(new Set(all).size).toBe(8);
    expect(all).toContain(await digest(encode(link(60))));
  });

  test('a text that is too long is refused', () => {
    expect(encode('y'.repeat(213))).toHaveLength(57);
    expect(() => encode('y'.repeat(214))).toThrow(TooLong);
  });
});
