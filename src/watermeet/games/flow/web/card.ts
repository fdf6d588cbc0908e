// Flow on the home page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  order: 5,
  title: { en: 'Flow', fr: 'Flow', de: 'Flow', pl: 'Flow' },
  tagline: {
    en: 'Together against the waves: connect four animals to the boat by water.',
    fr: 'Ensemble contre les vagues : reliez quatre animaux au bateau par l’eau.',
    de: 'Gemeinsam gegen die Wellen: Verbindet vier Tiere durch Wasser mit dem Boot.',
    pl: 'Razem przeciw falom: połączcie wodą cztery zwierzęta z łodzią.',
  },
  frame: { left: 28, top: 42, width: 464, height: 464, of: 860 },
};
