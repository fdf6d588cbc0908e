// Flume on the home page.
import type { Card } from '@watermeet/board/gameModule';

export const card: Card = {
  order: 3,
  title: { en: 'Flume', fr: 'Flume', de: 'Flume', pl: 'Flume' },
  tagline: {
    en: 'Touch three or four neighbours to move again. Whoever has more stones wins.',
    fr: 'Touchez trois ou quatre voisins et rejouez. Le plus de pierres l’emporte.',
    de: 'Berühre drei oder vier Nachbarn und zieh noch einmal. Die meisten Steine gewinnen.',
    pl: 'Dotknij trzech lub czterech sąsiadów i graj jeszcze raz. Wygrywa, kto ma więcej kamieni.',
  },
  inks: {
    '#c8321f': '--board-stone-1',
    '#2457b0': '--board-stone-2',
    '#f4ead5': '--board-ground',
    '#a98f63': '--board-line',
    '#3f8f4f': '--board-rim',
    '#276235': '--board-rim',
    '#5c4a2a': '--board-name',
    '#e8b400': '--board-last',
  },
};
