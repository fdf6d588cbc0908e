// Flows on the first page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  title: { en: 'Flows', fr: 'Flows', de: 'Flows', pl: 'Flows' },
  tagline: {
    en: 'Tiles with three strands each. Lead one from your side to the opposite one.',
    fr: 'Des tuiles à trois brins. Menez-en un de votre côté jusqu’en face.',
    de: 'Plättchen mit je drei Strängen. Führe einen von deiner Seite zur anderen.',
    pl: 'Kafelki z trzema nitkami. Poprowadź jedną ze swojego boku na przeciwny.',
  },
  frame: { left: 8, top: 20, width: 552, height: 482, of: 832.8 },
};
