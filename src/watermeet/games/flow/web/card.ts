// Flow on the first page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  title: { en: 'Flow', fr: 'Flow', de: 'Flow', pl: 'Flow' },
  tagline: {
    en: 'Together against the waves: lead water from four animals to the boat.',
    fr: 'Ensemble contre les vagues : menez l’eau de quatre animaux jusqu’au bateau.',
    de: 'Gemeinsam gegen die Wellen: Führt Wasser von vier Tieren zum Boot.',
    pl: 'Razem przeciw falom: doprowadźcie wodę od czterech zwierząt do łodzi.',
  },
  frame: { left: 28, top: 42, width: 464, height: 464, of: 860 },
};
