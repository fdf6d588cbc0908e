// Why a move is illegal or a match is over, in the language of the page. The server sends a code, the
// facts, and the sentence in English. Other languages are in the game's reasons.ts, loaded when
// needed; where one is missing, the English sentence is shown.
import { gameFile } from './gameFiles';
import { language, t, type Code } from './language.svelte';
import { format, type Values } from './messages';
import { en, type Key } from '../texts/en';

type Table = Record<string, string>;
/** Sentences by code, and translations of words in the facts by `word.WORD`. English is optional. */
export type Reasons = Record<Exclude<Code, 'en'>, Table> & { en?: Table };

const FILES = import.meta.glob<{ reasons: Reasons }>([
  '../../../src/watermeet/games/*/web/reasons.ts',
  '../../installed/*/web/reasons.ts',
]);
const WORD = 'word.';
const PLAYER = /\bPlayer (\d)\b/g;

/** A sentence of the server with players' names instead of `Player 1`; `names` are by seat. */
export function withNames(sentence: string, names: string[]): string {
  return sentence.replaceAll(PLAYER, (whole, number) => names[Number(number) - 1] ?? whole);
}

/** A fact such as `Red and Blue`, with the words that the table translates. */
function translated(fact: string | number, table: Table): string | number {
  if (typeof fact === 'number') return fact;
  const known = Object.keys(table)
    .filter((key) => key.startsWith(WORD))
    .map((key) => key.slice(WORD.length));
  if (!known.length) return fact;
  known.sort((a, b) => b.length - a.length); // `north-east` before `east`.
  const pattern = new RegExp(`(?<![\\w-])(${known.join('|')})(?![\\w-])`, 'g');
  return fact.replaceAll(pattern, (word) => table[WORD + word] ?? word);
}

/** A sentence of a table, its words put into the language too; null if the table has none. */
export function reasonText(
  table: Table | undefined,
  code: string,
  facts: Values = {},
  locale = 'en',
  names: string[] = [],
): string | null {
  const text = table?.[code];
  if (!table || text === undefined) return null;
  // Names are filled in last: they are not words to be translated.
  const marked = (fact: string | number): string | number =>
    typeof fact === 'string' && names.length ? fact.replaceAll(PLAYER, '\u{e000}$1') : fact;
  const values = Object.entries(facts).map(([name, fact]) => [
    name,
    translated(marked(fact), table),
  ]);
  return format(text, Object.fromEntries(values), locale).replaceAll(
    /\u{e000}(\d)/gu,
    (_, number: string) => names[Number(number) - 1] ?? number,
  );
}

class ReasonTexts {
  #known = $state.raw<Record<string, Reasons>>({});

  /** Loads the sentences of a game, once. */
  async load(game: string): Promise<void> {
    const fetch = gameFile(FILES, game, 'reasons.ts');
    if (!fetch || game in this.#known) return;
    const { reasons } = await fetch();
    this.#known = { ...this.#known, [game]: reasons };
  }

  /** A reason in the language of the page, with the players' names if they are given. */
  text(game: string, code: string, facts: Values, english: string, names: string[] = []): string {
    void this.load(game).catch(() => {}); // Offline: English is better than nothing.
    const table = this.#known[game]?.[language.code];
    const found = reasonText(table, code, facts, language.code, names);
    if (found !== null) return found;
    const key = `reason.${code}`;
    if (language.code !== 'en' && key in en) return t(key as Key, facts);
    return withNames(english, names);
  }
}

export const reasonTexts = new ReasonTexts();
