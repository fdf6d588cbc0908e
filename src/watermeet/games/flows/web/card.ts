// Flows on the home page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  order: 2,
  title: { en: 'Flows', fr: 'Flows', de: 'Flows', pl: 'Flows' },
  tagline: {
    en: 'Every tile has three strands. Run one from your side of the board to the other.',
    fr: 'Chaque tuile porte trois brins. Menez-en un de votre côté jusqu’à celui d’en face.',
    de: 'Jedes Plättchen hat drei Stränge. Führe einen von deiner Seite zur gegenüberliegenden.',
    pl: 'Każdy kafelek ma trzy nitki. Poprowadź jedną od swojego boku do przeciwnego.',
  },
  frame: { left: 8, top: 20, width: 552, height: 482, of: 832.8 },
};
