// Every message of every language is well formed, has the plural forms of its language, and wants
// the same values as the English one. No text is missing in any language.
import { describe, expect, test } from 'vitest';
import { argumentNames, choices, parse } from '../app/messageFormat';
import { boardTexts } from './board';
import { callTexts } from './notifications';
import { de } from './de';
import { en } from './en';
import { fr } from './fr';
import { pl } from './pl';

type Table = Record<string, string>;
const games = import.meta.glob<{ texts: Record<string, Table> }>(
  '../../../src/watermeet/games/*/web/texts.ts',
  { eager: true },
);
const reasons = import.meta.glob<{ reasons: Record<string, Table> }>(
  '../../../src/watermeet/games/*/web/reasons.ts',
  { eager: true },
);
const cards = import.meta.glob<{ card: { title: Table; tagline: Table } }>(
  '../../../src/watermeet/games/*/web/card.ts',
  { eager: true },
);
const pages = import.meta.glob<{ texts: Record<string, Table> }>('./{account,peace,people}.ts', {
  eager: true,
});
const WHOLE = Array.from({ length: 201 }, (_, number) => number);

/**
 * What must be filled in. A sentence about `who` may do without: other languages choose otherwise.
 * What a word `agrees` with matters only where words change by gender.
 */
function wanted(message: string, english: string): string[] {
  const isOptional = argumentNames(parse(english)).includes('who');
  return argumentNames(parse(message)).filter(
    (name) => name !== 'agrees' && !(isOptional && /^(who|name)$/.test(name)),
  );
}

function checkForms(table: Table, locale: string): void {
  const rules = new Intl.PluralRules(locale);
  const needed = new Set<string>(WHOLE.map((number) => rules.select(number)));
  for (const [key, message] of Object.entries(table)) {
    for (const choice of choices(parse(message))) {
      if (choice.kind !== 'plural') continue;
      const forms = Object.keys(choice.branches).filter((form) => !form.startsWith('='));
      expect(
        forms.filter(
          (form) => !rules.resolvedOptions().pluralCategories.includes(form as Intl.LDMLPluralRule),
        ),
        `${locale} ${key}`,
      ).toEqual([]);
      const missing = [...needed].filter((form) => !forms.includes(form));
      // `=1` does for `one` where the language says `one` of 1 alone.
      expect(
        missing.filter(
          (form) => !(form === 'one' && '=1' in choice.branches && rules.select(0) !== 'one'),
        ),
        `${locale} ${key}`,
      ).toEqual([]);
    }
  }
}

function compare(english: Table, others: Record<string, Table | undefined>): void {
  for (const [code, other = {}] of Object.entries(others)) {
    expect(Object.keys(other).sort(), code).toEqual(Object.keys(english).sort());
    checkForms(other, code);
    for (const [key, message] of Object.entries(english)) {
      if (message) expect(other[key], `${code} ${key}`).toBeTruthy();
      expect(wanted(other[key] ?? '', message), `${code} ${key}`).toEqual(wanted(message, message));
    }
  }
}

test('the page', () => compare(en, { en, fr, de, pl }));
test.each(Object.entries(pages))('%s', (_, { texts }) => compare(texts['en']!, texts));
test('all boards', () => compare(boardTexts.en, boardTexts));
test('being called', () => compare(callTexts.en, callTexts));

describe('the games', () => {
  test.each(Object.entries(games))('%s', (_, { texts }) => compare(texts['en']!, texts));

  test.each(Object.entries(reasons))('%s', (_, { reasons: { fr, de, pl, en } }) => {
    compare(fr!, { fr, de, pl });
    if (en) checkForms(en, 'en');
  });

  test.each(Object.entries(cards))('%s', (_, { card }) => {
    for (const table of [card.title, card.tagline])
      expect(Object.keys(table).sort()).toEqual(['de', 'en', 'fr', 'pl']);
  });
});
