// No text is missing in any language, and all have the same words to fill in.
import { describe, expect, test } from 'vitest';
import { de } from './de';
import { en } from './en';
import { fr } from './fr';
import { pl } from './pl';

type Table = Record<string, string>;
const braces = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map((found) => found[0]).sort();
const games = import.meta.glob<{ texts: Record<string, Table> }>('../../../src/watermeet/games/*/web/texts.ts', { eager: true });
const reasons = import.meta.glob<{ reasons: Record<string, Table> }>('../../../src/watermeet/games/*/web/reasons.ts', { eager: true });
const cards = import.meta.glob<{ card: { title: Table; tagline: Table } }>('../../../src/watermeet/games/*/web/card.ts', { eager: true });

function compare(english: Table, other: Table): void {
  expect(Object.keys(other).sort()).toEqual(Object.keys(english).sort());
  for (const [key, text] of Object.entries(english)) {
    if (text) expect(other[key], key).toBeTruthy();
    expect(braces(other[key] ?? ''), key).toEqual(braces(text));
  }
}

describe('the frame', () => {
  test.each(Object.entries({ fr, de, pl }))('in %s', (_, table) => compare(en, table));
});

describe('the games', () => {
  test.each(Object.entries(games))('%s', (_, { texts }) => {
    for (const code of ['fr', 'de', 'pl']) compare(texts['en']!, texts[code]!);
  });

  test.each(Object.entries(reasons))('%s', (_, { reasons: { fr, de, pl } }) => {
    compare(fr!, de!);
    compare(fr!, pl!);
  });

  test.each(Object.entries(cards))('%s', (_, { card }) => {
    for (const table of [card.title, card.tagline]) expect(Object.keys(table).sort()).toEqual(['de', 'en', 'fr', 'pl']);
  });
});
