// Qwirkle on the first page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  title: { en: 'Qwirkle', fr: 'Qwirkle', de: 'Qwirkle', pl: 'Qwirkle' },
  tagline: {
    en: 'Lines of one colour or one shape. Six in a row score double.',
    fr: 'Des lignes d’une couleur ou d’une forme. Six d’affilée comptent double.',
    de: 'Reihen einer Farbe oder einer Form. Sechs auf einmal zählen doppelt.',
    pl: 'Linie jednego koloru lub kształtu. Sześć w rzędzie liczy się podwójnie.',
  },
};
