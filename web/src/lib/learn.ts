// The page to learn a game from, out of `web/learn/` in its folder. Texts and pictures are loaded when
// somebody opens the page.
import { gameFile } from './gameFiles';

const TEXTS = import.meta.glob<string>(
  ['../../../src/watermeet/games/*/web/learn/*.md', '../../installed/*/web/learn/*.md'],
  { query: '?raw', import: 'default' },
);
const PICTURES = import.meta.glob<string>(
  ['../../../src/watermeet/games/*/web/learn/*.svg', '../../installed/*/web/learn/*.svg'],
  { query: '?url', import: 'default', eager: true },
);

export interface LearnPage {
  text: string;
  language: string;
}

/** The page in a language, or in English; null if the game has none. */
export async function readLearnPage(game: string, language: string): Promise<LearnPage | null> {
  for (const code of [language, 'en']) {
    const load = gameFile(TEXTS, game, `learn/${code}.md`);
    if (load) return { text: await load(), language: code };
  }
  return null;
}

/** The address of a picture of the page. */
export function learnPicture(game: string, file: string): string {
  return gameFile(PICTURES, game, `learn/${file}`) ?? '';
}
