// The language of the page, and its texts: a JSON file for each part of the page and for each game, of
// which only those of this language are loaded.
import { format, type Values } from './messageFormat';
import { gameFile, isInstalled } from './gameFiles';
import { lazy } from './lazy';
import { settings } from './settings.svelte';
import type page from '../messages/en/page.json';

export const LANGUAGES = { en: 'English', fr: 'Français', de: 'Deutsch', pl: 'Polski' } as const;
export type Code = keyof typeof LANGUAGES;
/** The texts of a part of the page. */
type Texts = Record<string, string>;
export type Key = keyof typeof page;

const PARTS = import.meta.glob<Texts>('../messages/*/*.json', { import: 'default' });
const GAMES = import.meta.glob<Texts>(
  ['../../../src/watermeet/games/*/web/messages/*.json', '../../installed/*/web/messages/*.json'],
  { import: 'default' },
);

/** The first of the browser's languages that we have. */
export function chooseCode(wanted: readonly string[]): Code {
  const found = wanted.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one in LANGUAGES);
  return (found as Code | undefined) ?? 'en';
}

function wantedCode(): Code {
  return chooseCode(settings.language ? [settings.language] : navigator.languages);
}

async function readPart(part: string, code: Code): Promise<Texts> {
  return PARTS[`../messages/${code}/${part}.json`]!();
}

/** The texts of a game; a game that isn't ours may have some of them in English alone. */
async function readGame(game: string, code: Code): Promise<Texts> {
  const codes = isInstalled(GAMES, game) ? (['en', code] as const) : [code];
  const files = codes.map((one) => gameFile(GAMES, game, `messages/${one}.json`));
  const tables = await Promise.all(files.map((read) => read?.() ?? {}));
  return Object.assign({}, ...tables) as Texts;
}

class Language {
  code = $state<Code>(wantedCode());
  #parts = $state.raw<Record<string, Texts>>({});
  #games = $state.raw<Record<string, Texts>>({});
  #loadingGames = new Map<string, Promise<void>>();

  /** Loads everything that is in use in the language of the settings, or the browser's. */
  async load(): Promise<void> {
    const code = wantedCode();
    try {
      if (code !== this.code) {
        const [parts, games] = await Promise.all([
          this.#readAll(this.#parts, (name) => readPart(name, code)),
          this.#readAll(this.#games, (name) => readGame(name, code)),
        ]);
        this.#parts = parts;
        this.#games = games;
        this.code = code;
      }
    } catch {
      // Offline: the language that is here is better than nothing.
    }
    document.documentElement.lang = this.code;
  }

  async #readAll(
    tables: Record<string, Texts>,
    read: (name: string) => Promise<Texts>,
  ): Promise<Record<string, Texts>> {
    const names = Object.keys(tables);
    const found = await Promise.all(names.map(read));
    return Object.fromEntries(names.map((name, place) => [name, found[place]!]));
  }

  /** Loads a part of the page's texts; the result formats one of them. */
  async loadPart<K extends string>(part: string): Promise<(key: K, values?: Values) => string> {
    if (!(part in this.#parts)) {
      // A module that awaits its texts in vain can't be loaded again.
      const table = await lazy(() => this.#readOrEnglish(part));
      this.#parts = { ...this.#parts, [part]: table };
    }
    return (key, values) => format(this.#parts[part]![key] ?? key, values, this.code);
  }

  async #readOrEnglish(part: string): Promise<Texts> {
    try {
      return await readPart(part, this.code);
    } catch {
      const table = await readPart(part, 'en'); // Offline, and this language was never here.
      this.code = 'en';
      return table;
    }
  }

  /** Loads the texts of a game, once; without a network there are none. */
  loadGame(game: string): Promise<void> {
    let loading = this.#loadingGames.get(game);
    if (!loading) {
      loading = readGame(game, this.code).then(
        (table) => {
          this.#games = { ...this.#games, [game]: table };
        },
        () => {
          this.#loadingGames.delete(game);
        },
      );
      this.#loadingGames.set(game, loading);
    }
    return loading;
  }

  /** The texts of a game, as far as they are loaded. */
  tableOf(game: string): Texts {
    return this.#games[game] ?? {};
  }

  /** A text of a game; null if it has none. */
  ofGame(game: string, key: string, values?: Values): string | null {
    const found = this.#games[game]?.[key];
    return found === undefined ? null : format(found, values, this.code);
  }

  /** Whether a part of the page has a text. */
  has(part: string, key: string): boolean {
    return Object.hasOwn(this.#parts[part] ?? {}, key);
  }
}

export const language = new Language();

/** A text of the page. */
export const t = await language.loadPart<Key>('page');
