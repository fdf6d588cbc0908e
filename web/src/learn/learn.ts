// The page to learn a game from, out of `web/learn/` in its folder. Texts and pictures are loaded when
// somebody opens the page.
import { gameFile } from '../app/gameFiles';
import { readSvg } from '../board/pictures.svelte';

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

/** The pictures of the page by file, as SVG; one that can't be read is missing. */
export async function learnPictures(game: string): Promise<Record<string, string>> {
  const files = Object.entries(PICTURES).flatMap(([path, address]) => {
    const file = path.split('/').at(-1)!;
    return gameFile(PICTURES, game, `learn/${file}`) === address ? [{ file, address }] : [];
  });
  const texts = await Promise.all(files.map(({ address }) => readSvg(address).catch(() => '')));
  return Object.fromEntries(files.map(({ file }, number) => [file, texts[number] ?? '']));
}
