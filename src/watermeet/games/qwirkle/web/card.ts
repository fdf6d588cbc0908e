// Qwirkle on the home page.
import type { Card } from '@watermeet/board/gameModule';

export const card: Card = {
  order: 1,
  title: { en: 'Qwirkle', fr: 'Qwirkle', de: 'Qwirkle', pl: 'Qwirkle' },
  tagline: {
    en: 'Build lines of one colour or one shape. Six in a row scores double.',
    fr: 'Formez des lignes d’une même couleur ou d’une même forme. Six d’affilée comptent double.',
    de: 'Baue Reihen aus einer Farbe oder einer Form. Sechs in einer Reihe zählen doppelt.',
    pl: 'Twórz linie jednego koloru lub kształtu. Szóstka liczy się podwójnie.',
  },
  frame: { left: 42, top: 46, width: 436, height: 340, of: 520 },
  inks: {
    '#ef4136': '--board-hue-1',
    '#ff9a1f': '--board-hue-2',
    '#ffe14d': '--board-hue-3',
    '#4cc355': '--board-hue-4',
    '#4aa3ff': '--board-hue-5',
    '#c77dff': '--board-hue-6',
    '#eee7db': '--board-cell',
    '#4a4032': '--board-name',
    '#cdbf9f': '--board-line',
    '#f2b705': '--board-last',
    '#0d0d0d': '--board-piece-edge',
    '#1d1b1a': '--board-piece',
  },
};
