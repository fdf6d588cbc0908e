// Why a move is illegal or a match is over, in the language of the page. The server sends a code, the
// facts, and the sentence in English. The other languages are among the game's texts, as `reason.CODE`
// and `word.WORD`; where one is missing, the English sentence is shown.
import { language, t, type Key } from '../app/language.svelte';
import { format, type Values } from '../app/messageFormat';

type Table = Record<string, string>;
const REASON = 'reason.';
const WORD = 'word.';

/** The names of players by the labels of their seats, such as `Red` or `Player 2`. */
export type NamesByLabel = Record<string, string>;
const MARK = '\ue000';

/** A pattern for whole words, longer ones first: `north-east` before `east`. */
function anyOf(words: string[]): RegExp {
  const sorted = [...words].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\w-])(${sorted.join('|')})(?![\\w-])`, 'g');
}

/** A text with the players' names for the labels of their seats. */
export function withNames(text: string, names: NamesByLabel): string {
  const labels = Object.keys(names);
  return labels.length ? text.replaceAll(anyOf(labels), (label) => names[label]!) : text;
}

/** A fact such as `Red and Blue`, with the words that the table translates. */
function translated(fact: string | number, table: Table): string | number {
  if (typeof fact === 'number') return fact;
  const known = Object.keys(table)
    .filter((key) => key.startsWith(WORD))
    .map((key) => key.slice(WORD.length));
  return known.length ? fact.replaceAll(anyOf(known), (word) => table[WORD + word] ?? word) : fact;
}

/** The sentence of a code, with its facts translated; null if the table has none. */
export function reasonText(
  table: Table | undefined,
  code: string,
  facts: Values = {},
  locale = 'en',
  names: NamesByLabel = {},
): string | null {
  const text = table?.[REASON + code];
  if (!table || text === undefined) return null;
  // Names are filled in last: they are not words to translate.
  const labels = Object.keys(names);
  const marks = Object.fromEntries(labels.map((label, n) => [label, `${MARK}${n}${MARK}`]));
  const values = Object.entries(facts).map(([name, fact]) => [
    name,
    translated(typeof fact === 'string' ? withNames(fact, marks) : fact, table),
  ]);
  return format(text, Object.fromEntries(values), locale).replaceAll(
    new RegExp(`${MARK}(\\d+)${MARK}`, 'g'),
    (_, number: string) => names[labels[Number(number)]!] ?? '',
  );
}

/** A reason in the language of the page, with the names of players. */
export function reasonSentence(
  game: string,
  code: string,
  facts: Values,
  english: string,
  names: NamesByLabel = {},
): string {
  void language.loadGame(game);
  const found = reasonText(language.tableOf(game), code, facts, language.code, names);
  if (found !== null) return found;
  const key = REASON + code;
  if (language.code !== 'en' && language.has('page', key)) return t(key as Key, facts);
  return withNames(english, names);
}
