// Texts that all boards share, in all languages; they come with the first board.
import type { Code } from '../lib/language.svelte';
import { language } from '../lib/language.svelte';
import { format, type Values } from '../lib/messages';

const en = {
  hint: 'Arrow keys move about, Enter chooses, question mark lists all keys.',
  arrows: 'move about', choose: 'choose', next: 'next cell that can be chosen; with Shift the one before', where: 'where can this go', line: 'read the line', mine: 'read what is mine',
  why: 'why not here', back: 'take the last part back', escape: 'let go', zoom: 'nearer, farther, show all', keys: 'read these keys', keysTitle: 'Keys',
  nearer: 'Nearer', farther: 'Farther', all: 'Show all', none: 'Nothing can be chosen now.', cells: '{count} cells: {list}', cell: 'One cell: {list}', more: 'and {count} more', undone: 'Taken back.', close: 'Close',
};
export type BoardKey = keyof typeof en;
const texts: Record<Code, Record<BoardKey, string>> = {
  en,
  fr: {
    hint: 'Les flèches déplacent, Entrée choisit, le point d’interrogation lit les touches.',
    arrows: 'se déplacer', choose: 'choisir', next: 'prochaine case possible ; avec Maj la précédente', where: 'où cela peut aller', line: 'lire la ligne', mine: 'lire ce qui est à moi',
    why: 'pourquoi pas ici', back: 'reprendre la dernière partie', escape: 'lâcher', zoom: 'plus près, plus loin, tout montrer', keys: 'lire ces touches', keysTitle: 'Touches',
    nearer: 'Plus près', farther: 'Plus loin', all: 'Tout montrer', none: 'Il n’y a rien à choisir.', cells: '{count} cases : {list}', cell: 'Une case : {list}', more: 'et {count} de plus', undone: 'Repris.', close: 'Fermer',
  },
  de: {
    hint: 'Pfeiltasten bewegen, die Eingabetaste wählt, das Fragezeichen nennt alle Tasten.',
    arrows: 'bewegen', choose: 'wählen', next: 'nächstes wählbares Feld, mit Umschalt das vorige', where: 'wohin das kann', line: 'die Reihe vorlesen', mine: 'vorlesen, was mir gehört',
    why: 'warum nicht hier', back: 'das Letzte zurücknehmen', escape: 'loslassen', zoom: 'näher, weiter, alles zeigen', keys: 'diese Tasten vorlesen', keysTitle: 'Tasten',
    nearer: 'Näher', farther: 'Weiter weg', all: 'Alles zeigen', none: 'Es gibt nichts zu wählen.', cells: '{count} Felder: {list}', cell: 'Ein Feld: {list}', more: 'und {count} weitere', undone: 'Zurückgenommen.', close: 'Schließen',
  },
  pl: {
    hint: 'Strzałki przesuwają, Enter wybiera, znak zapytania czyta klawisze.',
    arrows: 'przesuwanie', choose: 'wybór', next: 'następne możliwe pole; z Shift poprzednie', where: 'gdzie to może pójść', line: 'przeczytaj linię', mine: 'przeczytaj, co moje',
    why: 'dlaczego nie tutaj', back: 'cofnij ostatnią część', escape: 'puść', zoom: 'bliżej, dalej, pokaż wszystko', keys: 'przeczytaj klawisze', keysTitle: 'Klawisze',
    nearer: 'Bliżej', farther: 'Dalej', all: 'Pokaż wszystko', none: 'Nie ma nic do wyboru.', cells: 'pola ({count}): {list}', cell: 'Jedno pole: {list}', more: 'i jeszcze {count}', undone: 'Cofnięto.', close: 'Zamknij',
  },
};

/** A text of all boards in the language of the page. */
export function boardText(key: BoardKey, values?: Values): string {
  return format(texts[language.code][key], values, language.code);
}

/** All of them, for a test that compares. */
export const boardTexts = texts;

/** Names of cells, not more than anybody can listen to. */
export function cellList(names: string[], most = 24): string {
  if (!names.length) return boardText('none');
  const rest = names.length - most;
  const list = names.slice(0, most).join(', ') + (rest > 0 ? ` ${boardText('more', { count: rest })}` : '');
  return boardText(names.length === 1 ? 'cell' : 'cells', { count: names.length, list });
}
