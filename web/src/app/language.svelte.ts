// The language of the page. English is always there; others are loaded when needed.
import { en, type Key, type Texts } from '../messages/en';
import { format, type Values } from './messageFormat';
import { settings } from './settings.svelte';

export const LANGUAGES = { en: 'English', fr: 'Français', de: 'Deutsch', pl: 'Polski' } as const;
export type Code = keyof typeof LANGUAGES;
/** The texts of a game: the same keys in every language. */
export type GameTexts = Record<Code, Record<string, string>>;

const LOADERS: Record<Exclude<Code, 'en'>, () => Promise<Texts>> = {
  fr: () => import('../messages/fr').then((module) => module.fr),
  de: () => import('../messages/de').then((module) => module.de),
  pl: () => import('../messages/pl').then((module) => module.pl),
};

/** The first of the browser's languages that we have. */
export function chooseCode(wanted: readonly string[]): Code {
  const found = wanted.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one in LANGUAGES);
  return (found as Code | undefined) ?? 'en';
}

class Language {
  code = $state<Code>('en');
  #texts = $state.raw<Texts>(en);

  /** Loads the language of the settings, or the browser's. */
  async load(): Promise<void> {
    const code = chooseCode(settings.language ? [settings.language] : navigator.languages);
    try {
      this.#texts = code === 'en' ? en : await LOADERS[code]();
      this.code = code;
    } catch {
      this.#texts = en; // Offline: English is better than nothing.
      this.code = 'en';
    }
    document.documentElement.lang = this.code;
  }

  text(key: Key, values?: Values): string {
    return format(this.#texts[key], values, this.code);
  }

  /** A text of a game in this language; null if it has none. */
  ofGame(texts: GameTexts | undefined, key: string, values?: Values): string | null {
    const found = texts?.[this.code]?.[key] ?? texts?.en[key];
    return found === undefined ? null : format(found, values, this.code);
  }
}

export const language = new Language();

/** A text of the page in its language. */
export function t(key: Key, values?: Values): string {
  return language.text(key, values);
}
