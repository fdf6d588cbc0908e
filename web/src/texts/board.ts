// Texts that all boards share, in all languages; they come with the first board.
import type { Code } from '../lib/language.svelte';
import { language } from '../lib/language.svelte';
import { format, type Values } from '../lib/messages';

const en = {
  hint: 'Use the arrow keys to move around, Enter to select, and ? to hear all shortcuts.',
  arrows: 'move around',
  choose: 'select',
  next: 'next legal cell; with Shift, the previous one',
  where: 'where this can go',
  line: 'read the row',
  mine: 'read what’s mine',
  why: 'why not here?',
  back: 'undo the last step',
  escape: 'cancel',
  zoom: 'zoom in, zoom out, fit',
  keys: 'read these shortcuts',
  keysTitle: 'Keyboard shortcuts',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit the board',
  none: 'There’s nothing to select right now.',
  cells: '{count, plural, one {# cell} other {# cells}}: {list}',
  more: 'and {count} more',
  undone: 'Taken back.',
  close: 'Close',
};
export type BoardKey = keyof typeof en;
const texts: Record<Code, Record<BoardKey, string>> = {
  en,
  fr: {
    hint: 'Les flèches déplacent, Entrée choisit, le point d’interrogation lit les touches.',
    arrows: 'se déplacer',
    choose: 'choisir',
    next: 'prochaine case possible ; avec Maj la précédente',
    where: 'où cela peut aller',
    line: 'lire la ligne',
    mine: 'lire ce qui est à moi',
    why: 'pourquoi pas ici',
    back: 'reprendre la dernière partie',
    escape: 'lâcher',
    zoom: 'plus près, plus loin, tout montrer',
    keys: 'lire ces touches',
    keysTitle: 'Touches',
    zoomIn: 'Plus près',
    zoomOut: 'Plus loin',
    fit: 'Tout montrer',
    none: 'Il n’y a rien à choisir.',
    cells: '{count, plural, one {# case} other {# cases}} : {list}',
    more: 'et {count} de plus',
    undone: 'Repris.',
    close: 'Fermer',
  },
  de: {
    hint: 'Pfeiltasten bewegen, die Eingabetaste wählt, das Fragezeichen nennt alle Tasten.',
    arrows: 'bewegen',
    choose: 'wählen',
    next: 'nächstes wählbares Feld, mit Umschalt das vorige',
    where: 'wohin das kann',
    line: 'die Reihe vorlesen',
    mine: 'vorlesen, was mir gehört',
    why: 'warum nicht hier',
    back: 'das Letzte zurücknehmen',
    escape: 'loslassen',
    zoom: 'näher, weiter, alles zeigen',
    keys: 'diese Tasten vorlesen',
    keysTitle: 'Tasten',
    zoomIn: 'Näher',
    zoomOut: 'Weiter weg',
    fit: 'Alles zeigen',
    none: 'Es gibt nichts zu wählen.',
    cells: '{count, plural, one {# Feld} other {# Felder}}: {list}',
    more: 'und {count} weitere',
    undone: 'Zurückgenommen.',
    close: 'Schließen',
  },
  pl: {
    hint: 'Strzałki przesuwają, Enter wybiera, znak zapytania czyta klawisze.',
    arrows: 'przesuwanie',
    choose: 'wybór',
    next: 'następne możliwe pole; z Shift poprzednie',
    where: 'gdzie to może pójść',
    line: 'przeczytaj linię',
    mine: 'przeczytaj, co moje',
    why: 'dlaczego nie tutaj',
    back: 'cofnij ostatnią część',
    escape: 'puść',
    zoom: 'bliżej, dalej, pokaż wszystko',
    keys: 'przeczytaj klawisze',
    keysTitle: 'Klawisze',
    zoomIn: 'Bliżej',
    zoomOut: 'Dalej',
    fit: 'Pokaż wszystko',
    none: 'Nie ma nic do wyboru.',
    cells: '{count, plural, one {# pole} few {# pola} many {# pól} other {# pola}}: {list}',
    more: 'i jeszcze {count}',
    undone: 'Cofnięto.',
    close: 'Zamknij',
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
  const list =
    names.slice(0, most).join(', ') + (rest > 0 ? ` ${boardText('more', { count: rest })}` : '');
  return boardText('cells', { count: names.length, list });
}
