// Qwirkle on the home page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  order: 1,
  title: { en: 'Qwirkle', fr: 'Qwirkle', de: 'Qwirkle', pl: 'Qwirkle' },
  tagline: {
    en: 'Build lines of one colour or one shape. Six in a row scores double.',
    fr: 'Formez des lignes d’une même couleur ou d’une même forme. Six d’affilée comptent double.',
    de: 'Baue Reihen aus einer Farbe oder einer Form. Sechs in einer Reihe zählen doppelt.',
    pl: 'Twórz linie jednego koloru lub kształtu. Szóstka liczy się podwójnie.',
  },
  frame: { left: 0, top: 0, width: 520, height: 384, of: 520 },
};
