// QR codes for links, after ISO/IEC 18004: bytes, error correction level M, versions 1 to 10. That is
// enough for 213 bytes, twice the longest link that invites. Nothing here draws.

/** By version: codewords of error correction in each block, and how many data codewords each block has. */
const BLOCKS: readonly { check: number; data: readonly number[] }[] = [
  { check: 10, data: [16] },
  { check: 16, data: [28] },
  { check: 26, data: [44] },
  { check: 18, data: [32, 32] },
  { check: 24, data: [43, 43] },
  { check: 16, data: [27, 27, 27, 27] },
  { check: 18, data: [31, 31, 31, 31] },
  { check: 22, data: [38, 38, 39, 39] },
  { check: 22, data: [36, 36, 36, 37, 37] },
  { check: 26, data: [43, 43, 43, 43, 44] },
];
/** By version: rows and columns in which the centres of the small squares lie. */
const SQUARES: readonly (readonly number[])[] = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** A text that is longer than the largest code holds. */
export class TooLong extends Error {}

/** The code of a text: rows of modules, true for dark ones. The mask is the best one, unless it is given. */
export function encode(text: string, mask?: number): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, index) => capacity(index + 1) >= bytes.length) + 1;
  if (!version) throw new TooLong(`${bytes.length} bytes are more than ${capacity(BLOCKS.length)}`);
  const words = interleaved(dataWords(bytes, version), version);
  if (mask !== undefined) return drawn(version, words, mask);
  const all = MASKS.map((_, number) => drawn(version, words, number));
  const costs = all.map(penalty);
  return all[costs.indexOf(Math.min(...costs))]!;
}

// ---- codewords ----

/** The bits of the field that says how many bytes there are. */
const countBits = (version: number): number => (version < 10 ? 8 : 16);
const dataCount = (version: number): number => BLOCKS[version - 1]!.data.reduce((sum, count) => sum + count, 0);
const capacity = (version: number): number => Math.floor((8 * dataCount(version) - 4 - countBits(version)) / 8);

/** The data codewords: kind, length, bytes, an end, and what fills the rest. */
function dataWords(bytes: number[], version: number): number[] {
  const bits: number[] = [];
  const add = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  add(0b0100, 4);
  add(bytes.length, countBits(version));
  for (const byte of bytes) add(byte, 8);
  const total = dataCount(version);
  add(0, Math.min(4, 8 * total - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, word) =>
    bits.slice(8 * word, 8 * word + 8).reduce((value, bit) => 2 * value + bit, 0));
  for (let fill = 0; words.length < total; fill++) words.push(fill % 2 ? 0x11 : 0xec);
  return words;
}

/** Data and error correction of all blocks, taken from the blocks in turn. */
function interleaved(words: number[], version: number): number[] {
  const { check, data } = BLOCKS[version - 1]!;
  let from = 0;
  const blocks = data.map((count) => words.slice(from, (from += count)));
  const checks = blocks.map((block) => checkWords(block, check));
  const inTurn = (lists: number[][]): number[] =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, place) =>
      lists.flatMap((list) => (place < list.length ? [list[place]!] : []))).flat();
  return [...inTurn(blocks), ...inTurn(checks)];
}

/** Powers of 2 in the field of 256 elements that x^8 + x^4 + x^3 + x^2 + 1 makes, and their logarithms. */
const POWERS: number[] = [];
const LOGS: number[] = [];
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  POWERS.push(value);
  LOGS[value] = exponent;
  value = value < 128 ? 2 * value : (2 * value) ^ 0x11d;
}
const times = (a: number, b: number): number => (a && b ? POWERS[(LOGS[a]! + LOGS[b]!) % 255]! : 0);

/** The codewords of error correction, after Reed and Solomon: what is left when the data is divided. */
export function checkWords(data: number[], count: number): number[] {
  let divisor = [1];
  for (let root = 0; root < count; root++) {
    const shifted = [...divisor, 0];
    divisor = shifted.map((factor, place) => factor ^ times(divisor[place - 1] ?? 0, POWERS[root]!));
  }
  const rest = [...data, ...Array.from({ length: count }, () => 0)];
  for (let place = 0; place < data.length; place++) {
    const lead = rest[place]!;
    for (const [offset, factor] of divisor.entries()) rest[place + offset]! ^= times(factor, lead);
  }
  return rest.slice(data.length);
}

// ---- modules ----

/** Bits with the remainder of their division behind them, as the fields of format and version have it. */
function withRemainder(value: number, divisor: number, bits: number): number {
  let rest = value << bits;
  for (let bit = 31 - Math.clz32(rest); bit >= bits; bit--) if ((rest >> bit) & 1) rest ^= divisor << (bit - bits);
  return (value << bits) | rest;
}
/** Level M has the bits 00. */
export const formatBits = (mask: number): number => withRemainder(mask, 0x537, 10) ^ 0x5412;
export const versionBits = (version: number): number => withRemainder(version, 0x1f25, 12);

class Sheet {
  readonly size: number;
  readonly dark: boolean[][];
  /** Modules that do not hold data. */
  readonly fixed: boolean[][];

  constructor(version: number) {
    this.size = 17 + 4 * version;
    const empty = (): boolean[][] => Array.from({ length: this.size }, () => Array.from({ length: this.size }, () => false));
    this.dark = empty();
    this.fixed = empty();
  }

  fix(row: number, column: number, isDark: boolean): void {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return;
    this.dark[row]![column] = isDark;
    this.fixed[row]![column] = true;
  }

  /** Rings around a centre; `light` are the distances at which they are light. */
  rings(row: number, column: number, reach: number, light: readonly number[]): void {
    for (let down = -reach; down <= reach; down++) {
      for (let right = -reach; right <= reach; right++) {
        this.fix(row + down, column + right, !light.includes(Math.max(Math.abs(down), Math.abs(right))));
      }
    }
  }
}

function drawn(version: number, words: number[], mask: number): boolean[][] {
  const sheet = new Sheet(version);
  drawPatterns(sheet, version);
  drawFields(sheet, version, mask);
  drawData(sheet, words, MASKS[mask]!);
  return sheet.dark;
}

function drawPatterns(sheet: Sheet, version: number): void {
  const last = sheet.size - 1;
  for (let place = 0; place < sheet.size; place++) {
    sheet.fix(6, place, place % 2 === 0);
    sheet.fix(place, 6, place % 2 === 0);
  }
  for (const [row, column] of [[3, 3], [3, last - 3], [last - 3, 3]] as const) sheet.rings(row, column, 4, [2, 4]);
  const places = SQUARES[version - 1]!;
  for (const row of places) {
    for (const column of places) {
      const isCorner = [row, column].every((place) => place === 6) || (row === 6 && column === last - 6) || (row === last - 6 && column === 6);
      if (!isCorner) sheet.rings(row, column, 2, [1]);
    }
  }
}

/** Which mask it is, twice; from version 7 on the version, twice; and the one module that is always dark. */
function drawFields(sheet: Sheet, version: number, mask: number): void {
  const { size } = sheet;
  const format = formatBits(mask);
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((format >> bit) & 1) === 1;
    sheet.fix(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, isDark);
    sheet.fix(8, bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit, isDark);
  }
  sheet.fix(size - 8, 8, true);
  if (version < 7) return;
  const number = versionBits(version);
  for (let bit = 0; bit < 18; bit++) {
    const isDark = ((number >> bit) & 1) === 1;
    sheet.fix(Math.floor(bit / 3), size - 11 + (bit % 3), isDark);
    sheet.fix(size - 11 + (bit % 3), Math.floor(bit / 3), isDark);
  }
}

/** The codewords in columns of two from the right, up and down in turn; what is left over stays light. */
function drawData(sheet: Sheet, words: number[], isMasked: (row: number, column: number) => boolean): void {
  const { size, fixed, dark } = sheet;
  let bit = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5; // The column of the timing pattern is passed over.
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (fixed[row]![column]) continue;
        const value = ((words[bit >> 3] ?? 0) >> (7 - (bit % 8))) & 1;
        dark[row]![column] = (value === 1) !== isMasked(row, column);
        bit += 1;
      }
    }
    isUp = !isUp;
  }
}

// ---- which mask ----

/** How hard a code is to read, by the standard's four rules: the least is the best. */
function penalty(dark: boolean[][]): number {
  const columns = dark.map((_, place) => dark.map((row) => row[place]!));
  let cost = 0;
  for (const line of [...dark, ...columns]) cost += runs(line) + lookalikes(line);
  for (let row = 1; row < dark.length; row++) {
    for (let column = 1; column < dark.length; column++) {
      const one = dark[row]![column];
      if (dark[row - 1]![column] === one && dark[row]![column - 1] === one && dark[row - 1]![column - 1] === one) cost += 3;
    }
  }
  const share = dark.flat().filter(Boolean).length / dark.length ** 2;
  return cost + 10 * Math.floor(Math.abs(share * 100 - 50) / 5);
}

/** Five or more of one colour in a row. */
function runs(line: boolean[]): number {
  let cost = 0;
  let length = 0;
  for (const [place, isDark] of line.entries()) {
    length = isDark === line[place - 1] ? length + 1 : 1;
    if (length === 5) cost += 3;
    else if (length > 5) cost += 1;
  }
  return cost;
}

/** What looks like the middle of a large square, with light on one side of it. */
function lookalikes(line: boolean[]): number {
  const text = line.map((isDark) => (isDark ? '1' : '0')).join('');
  let count = 0;
  for (const wanted of ['10111010000', '00001011101']) {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) count += 1;
  }
  return 40 * count;
}
