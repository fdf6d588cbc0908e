// Every message of every language is well formed, has the plural forms of its language, and wants
// the same values as the English one. No text is missing in any language.
import { describe, expect, test } from 'vitest';
import { argumentNames, choices, parse } from '../app/messageFormat';

type Table = Record<string, string>;
const FILES = import.meta.glob<Table>(
  ['./*/*.json', '../../../src/watermeet/games/*/web/messages/*.json'],
  { eager: true, import: 'default' },
);
const cards = import.meta.glob<{ card: { title: Table; tagline: Table } }>(
  '../../../src/watermeet/games/*/web/card.ts',
  { eager: true },
);
const CODES = ['en', 'fr', 'de', 'pl'];
const WHOLE = Array.from({ length: 201 }, (_, number) => number);

/** The tables of a part of the page, or of a game, by language. */
function tablesOf(english: string): Record<string, Table> {
  return Object.fromEntries(
    CODES.map((code) => {
      const path = english.replace('/en/', `/${code}/`).replace('/en.json', `/${code}.json`);
      return [code, FILES[path] ?? {}];
    }),
  );
}

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

/** The server writes the reasons in English, and words are translated from it. */
function isOptionalInEnglish(key: string): boolean {
  return /^(reason|word)\./.test(key);
}

function compare(tables: Record<string, Table>, model: Table, skip = (_: string) => false): void {
  const keysOf = (table: Table): string[] =>
    Object.keys(table)
      .filter((key) => !skip(key))
      .sort();
  for (const [code, table] of Object.entries(tables)) {
    expect(keysOf(table), code).toEqual(keysOf(model));
    checkForms(table, code);
    for (const [key, message] of Object.entries(model)) {
      if (skip(key)) continue;
      if (message) expect(table[key], `${code} ${key}`).toBeTruthy();
      expect(wanted(table[key] ?? '', message), `${code} ${key}`).toEqual(wanted(message, message));
    }
  }
}

const english = Object.keys(FILES).filter((path) => /\/en(\/\w+)?\.json$/.test(path));
const ofGames = english.filter((path) => path.includes('/games/'));

test.each(english.filter((path) => !ofGames.includes(path)))('%s', (path) => {
  const tables = tablesOf(path);
  compare(tables, tables['en']!);
});

describe('the games', () => {
  test.each(ofGames)('%s', (path) => {
    const { en, ...others } = tablesOf(path);
    compare({ en: en!, ...others }, en!, isOptionalInEnglish);
    compare(others, others['fr']!);
  });

  test.each(Object.entries(cards))('%s', (_, { card }) => {
    for (const table of [card.title, card.tagline])
      expect(Object.keys(table).sort()).toEqual(['de', 'en', 'fr', 'pl']);
  });
});
