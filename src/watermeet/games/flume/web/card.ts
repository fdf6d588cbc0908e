// Flume on the home page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  order: 3,
  title: { en: 'Flume', fr: 'Flume', de: 'Flume', pl: 'Flume' },
  tagline: {
    en: 'Touch three or four neighbours to move again. Whoever has more stones wins.',
    fr: 'Touchez trois ou quatre voisins et rejouez. Le plus de pierres l’emporte.',
    de: 'Berühre drei oder vier Nachbarn und zieh noch einmal. Die meisten Steine gewinnen.',
    pl: 'Dotknij trzech lub czterech sąsiadów i graj jeszcze raz. Wygrywa, kto ma więcej kamieni.',
  },
};
