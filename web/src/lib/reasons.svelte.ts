// Why a move is refused or a match is over, in the language of the page. The server tells a code, the
// words that belong into the sentence, and the sentence in English. Other languages have theirs in the
// game's folder, reasons.ts, fetched when it is needed; without one the English sentence is shown.
import { fill, language, type Code, type Words } from './language.svelte';

export type Reasons = Record<Exclude<Code, 'en'>, Record<string, string>>;

const FILES = import.meta.glob<{ reasons: Reasons }>('../../../src/watermeet/games/*/web/reasons.ts');

/** A sentence of a table, its words put into the language too; null if the table has none. */
export function said(table: Record<string, string> | undefined, code: string, facts: Words = {}): string | null {
  const text = table?.[code];
  if (text === undefined) return null;
  const words = Object.entries(facts).map(([name, word]) => [name, table?.[`word.${word}`] ?? word]);
  return fill(text, Object.fromEntries(words) as Words);
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
  words(game: string, code: string, facts: Words, english: string): string {
    if (language.code === 'en') return english;
    void this.load(game).catch(() => {}); // The line is down: English is better than nothing.
    return said(this.#known[game]?.[language.code], code, facts) ?? english;
  }
}

export const reasonBook = new ReasonBook();
