// Why a move is refused or a match is over, in the language of the page. The server tells a code, the
// words that belong into the sentence, and the sentence in English. Other languages have theirs in the
// game's folder, reasons.ts, fetched when it is needed; without one the English sentence is shown.
import { language, t, type Code } from './language.svelte';
import { format, type Values } from './messages';
import { en, type Key } from '../texts/en';

type Table = Record<string, string>;
/** Sentences by code, and words of the facts by `word.WORD`. English may have some that suit the page better. */
export type Reasons = Record<Exclude<Code, 'en'>, Table> & { en?: Table };

const FILES = import.meta.glob<{ reasons: Reasons }>('../../../src/watermeet/games/*/web/reasons.ts');
const WORD = 'word.';

/** A fact, such as `Red and Blue`, with the words that a table has in their place. */
function translated(fact: string | number, table: Table): string | number {
  if (typeof fact === 'number') return fact;
  const known = Object.keys(table).filter((key) => key.startsWith(WORD)).map((key) => key.slice(WORD.length));
  if (!known.length) return fact;
  known.sort((a, b) => b.length - a.length); // `north-east` before `east`.
  const pattern = new RegExp(`(?<![\\w-])(${known.join('|')})(?![\\w-])`, 'g');
  return fact.replaceAll(pattern, (word) => table[WORD + word] ?? word);
}

/** A sentence of a table, its words put into the language too; null if the table has none. */
export function said(table: Table | undefined, code: string, facts: Values = {}, locale = 'en'): string | null {
  const text = table?.[code];
  if (!table || text === undefined) return null;
  const values = Object.entries(facts).map(([name, fact]) => [name, translated(fact, table)]);
  return format(text, Object.fromEntries(values), locale);
}

class ReasonBook {
  #known = $state.raw<Record<string, Reasons>>({});

  /** Fetches what a game has, once. */
  async load(game: string): Promise<void> {
    const fetch = FILES[`../../../src/watermeet/games/${game}/web/reasons.ts`];
    if (!fetch || game in this.#known) return;
    const { reasons } = await fetch();
    this.#known = { ...this.#known, [game]: reasons };
  }

  /** A reason in the language of the page. */
  words(game: string, code: string, facts: Values, english: string): string {
    void this.load(game).catch(() => {}); // The line is down: English is better than nothing.
    const found = said(this.#known[game]?.[language.code], code, facts, language.code);
    if (found !== null || language.code === 'en') return found ?? english;
    const key = `reason.${code}`;
    return key in en ? t(key as Key, facts) : english;
  }
}

export const reasonBook = new ReasonBook();
