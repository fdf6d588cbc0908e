// My Game on the home page.
import type { Card } from '@watermeet/board/gameModule';

export const card: Card = {
  title: { en: 'My Game', fr: 'My Game', de: 'My Game', pl: 'My Game' },
  tagline: {
    en: 'Place stones in turn. Three in a row win.',
    fr: 'Posez vos pierres à tour de rôle. Trois alignées gagnent.',
    de: 'Setzt reihum Steine. Drei in einer Reihe gewinnen.',
    pl: 'Kładźcie kamienie na zmianę. Trzy w rzędzie wygrywają.',
  },
};
