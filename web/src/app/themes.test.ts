// Every board theme is legible, by day and by night: WCAG asks for 4.5:1 for text, 3:1 for pieces.
import { expect, test } from 'vitest';
import { BOARD_THEMES } from './settings.svelte';

const CSS = import.meta.glob<string>('./app.css', {
  eager: true,
  query: '?raw',
  import: 'default',
})['./app.css']!;

function colours(theme: string, isDark: boolean): Record<string, string> {
  const block = CSS.split(`[data-board-theme='${theme}'] {`)[1]!.split('}')[0]!;
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));/g)].map(
      ([, name, light, dark, both]) => [name!, both ?? (isDark ? dark! : light!)],
    ),
  );
}

function luminance(colour: string): number {
  const digits =
    colour.length === 4 ? [...colour.slice(1)].map((one) => one + one).join('') : colour.slice(1);
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const SIX = [1, 2, 3, 4, 5, 6];
const TEXT: [string, string][] = [
  ['board-name', 'board-cell'],
  ['board-name', 'board-cell-shut'],
  ['board-name', 'board-ground'],
  ['board-name', 'board-ground-2'],
  ['board-go-ink', 'board-go'],
  ['board-note-ink', 'board-note'],
  ['board-sea-name', 'board-sea'],
  ['board-sea-name', 'board-sea-2'],
];
const PIECES: [string, string][] = [
  ...SIX.flatMap((one): [string, string][] => [
    [`player-${one}`, 'board-tile'],
    [`board-hue-${one}`, 'board-piece'],
  ]),
  ...['1', '2'].flatMap((one): [string, string][] => [
    [`board-stone-${one}`, 'board-cell'],
    [`board-stone-${one}`, 'board-ground-2'],
    [`board-stone-${one}`, 'board-mark'],
  ]),
  ['board-strand', 'board-tile'],
  ['board-rim', 'board-ground'],
  ['board-go', 'board-cell'],
  ['board-go', 'board-cell-shut'],
  ['board-note', 'board-ground-2'],
  ['board-focus', 'board-cell'],
  ['board-focus', 'board-ground-2'],
  ['board-focus', 'board-sea-2'],
  ['board-focus-2', 'board-tile'],
  ['board-refused-edge', 'board-cell'],
  ['board-water-2', 'board-sand'],
  ['board-bank', 'board-sand'],
];

test.each(BOARD_THEMES.flatMap((theme) => [false, true].map((isDark) => [theme, isDark] as const)))(
  'the board theme %s is legible, dark: %s',
  (theme, isDark) => {
    const found = colours(theme, isDark);
    expect(Object.keys(found)).toEqual(Object.keys(colours('classic', isDark)));
    const weak = [
      ...TEXT.map((pair) => [...pair, 4.5] as const),
      ...PIECES.map((pair) => [...pair, 3] as const),
    ].flatMap(([one, other, least]) => {
      const ratio = contrast(found[one]!, found[other]!);
      return ratio < least ? [`${one} on ${other}: ${ratio.toFixed(2)}`] : [];
    });
    expect(weak).toEqual([]);
  },
);
