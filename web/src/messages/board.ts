// The texts of all boards.
import { language } from '../app/language.svelte';
import type texts from './en/board.json';

export type BoardKey = keyof typeof texts;
export const boardText = await language.loadPart<BoardKey>('board');

/** Names of cells, not more than anybody can listen to. */
export function cellList(names: string[], most = 24): string {
  if (!names.length) return boardText('none');
  const rest = names.length - most;
  const list =
    names.slice(0, most).join(', ') + (rest > 0 ? ` ${boardText('more', { count: rest })}` : '');
  return boardText('cells', { count: names.length, list });
}
