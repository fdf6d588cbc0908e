// Texts that all boards share, in all languages; they come with the first board.
import type { Code } from '../app/language.svelte';
import { language } from '../app/language.svelte';
import { format, type Values } from '../app/messageFormat';

const en = {
  hint: 'Use the arrow keys to move around, Enter to select, and ? to hear all shortcuts.',
  arrows: 'move around',
  choose: 'select',
  next: 'next legal cell; with Shift, the previous one',
  where: 'where this can go',
  line: 'read the row',
  mine: 'read what’s mine',
  why: 'why not here?',
  hintKey: 'hint, against bots and alone',
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
  tapAgain: '{cell}: tap again to play',
  point: 'Point at a cell',
  pointed: 'Pointed at {cell}.',
};
export type BoardKey = keyof typeof en;
const texts: Record<Code, Record<BoardKey, string>> = {
  en,
  fr: {
    hint: 'Flèches pour se déplacer, Entrée pour choisir, ? pour entendre les raccourcis.',
    arrows: 'se déplacer',
    choose: 'choisir',
    next: 'case possible suivante ; avec Maj, la précédente',
    where: 'où cela peut aller',
    line: 'lire la rangée',
    mine: 'lire mes pièces',
    why: 'pourquoi pas ici ?',
    hintKey: 'indice, seul ou contre des bots',
    back: 'annuler la dernière étape',
    escape: 'annuler',
    zoom: 'zoomer, dézoomer, tout voir',
    keys: 'lire ces raccourcis',
    keysTitle: 'Raccourcis clavier',
    zoomIn: 'Zoomer',
    zoomOut: 'Dézoomer',
    fit: 'Voir tout le plateau',
    none: 'Rien à choisir pour le moment.',
    cells: '{count, plural, one {# case} other {# cases}} : {list}',
    more: 'et {count} de plus',
    undone: 'Coup repris.',
    close: 'Fermer',
    tapAgain: '{cell} : touchez encore pour jouer',
    point: 'Montrer une case',
    pointed: 'Case montrée : {cell}.',
  },
  de: {
    hint: 'Pfeiltasten bewegen, Enter wählt, ? liest alle Tasten vor.',
    arrows: 'bewegen',
    choose: 'wählen',
    next: 'nächstes mögliches Feld, mit Umschalt das vorige',
    where: 'wohin das kann',
    line: 'die Reihe vorlesen',
    mine: 'meine Steine vorlesen',
    why: 'warum nicht hier?',
    hintKey: 'Tipp, allein und gegen Bots',
    back: 'letzten Schritt zurücknehmen',
    escape: 'abbrechen',
    zoom: 'vergrößern, verkleinern, alles zeigen',
    keys: 'diese Tasten vorlesen',
    keysTitle: 'Tastenkürzel',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    fit: 'Ganzes Brett zeigen',
    none: 'Gerade gibt es nichts zu wählen.',
    cells: '{count, plural, one {# Feld} other {# Felder}}: {list}',
    more: 'und {count} weitere',
    undone: 'Zurückgenommen.',
    close: 'Schließen',
    tapAgain: '{cell}: zum Spielen noch einmal tippen',
    point: 'Auf ein Feld zeigen',
    pointed: 'Auf {cell} gezeigt.',
  },
  pl: {
    hint: 'Strzałki przesuwają, Enter wybiera, ? czyta skróty.',
    arrows: 'przesuwanie',
    choose: 'wybór',
    next: 'następne możliwe pole; z Shift poprzednie',
    where: 'gdzie to może pójść',
    line: 'przeczytaj rząd',
    mine: 'przeczytaj moje',
    why: 'dlaczego nie tutaj?',
    hintKey: 'podpowiedź, solo i z botami',
    back: 'cofnij ostatni krok',
    escape: 'anuluj',
    zoom: 'przybliż, oddal, pokaż całość',
    keys: 'przeczytaj te skróty',
    keysTitle: 'Skróty klawiszowe',
    zoomIn: 'Przybliż',
    zoomOut: 'Oddal',
    fit: 'Pokaż całą planszę',
    none: 'Nie ma teraz nic do wyboru.',
    cells: '{count, plural, one {# pole} few {# pola} many {# pól} other {# pola}}: {list}',
    more: 'i jeszcze {count}',
    undone: 'Cofnięto.',
    close: 'Zamknij',
    tapAgain: '{cell}: dotknij jeszcze raz, by zagrać',
    point: 'Wskaż pole',
    pointed: 'Wskazano pole {cell}.',
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
