// Pictures that the server or its author drew, in the colours of the page: games say which board
// colours theirs stand for.
import { MediaQuery } from 'svelte/reactivity';
import { gameCard } from './gameModule';
import { settings } from '../app/settings.svelte';

/** The themes of the page and of boards, as a key: pictures are drawn again when it changes. */
class Themes {
  #dark = new MediaQuery('prefers-color-scheme: dark');
  get current(): string {
    return `${settings.theme} ${settings.board} ${this.#dark.current}`;
  }
}
export const theme = new Themes();
const read = new Map<string, Promise<string>>();

/** The text of a picture; the same address is read once. */
export function readSvg(address: string): Promise<string> {
  const found = read.get(address) ?? load(address);
  read.set(address, found);
  found.catch(() => read.delete(address)); // Offline: another time.
  return found;
}

async function load(address: string): Promise<string> {
  const answer = await fetch(address);
  const text = await answer.text(); // Also of an error: the connection is busy until it is read.
  if (!answer.ok) throw new Error(text);
  return text;
}

/** A picture of a game as the source of an image, in the colours chosen now. */
export function pictureSource(svg: string, game: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(recolour(svg, colours(game)))}`;
}

/** A picture with other colours. */
export function recolour(svg: string, colours: Record<string, string>): string {
  return svg.replaceAll(/#[\da-f]{3,6}\b/gi, (found) => colours[found.toLowerCase()] ?? found);
}

/** What the colours of a game's pictures are in the chosen themes. */
function colours(game: string): Record<string, string> {
  void theme.current; // Whoever shows the picture shows it again in another theme.
  const inks = Object.entries(gameCard(game)?.inks ?? {});
  const probe = document.createElement('i');
  document.body.append(probe);
  const found = inks.map(([ink, name]) => {
    probe.style.color = `var(${name})`;
    return [ink, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(found);
}
