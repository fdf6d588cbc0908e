// Flow on the home page.
import type { Card } from '@watermeet/board/gameModule';

export const card: Card = {
  order: 5,
  title: { en: 'Flow (co-op)', fr: 'Flow (coop)', de: 'Flow (Koop)', pl: 'Flow (kooperacja)' },
  tagline: {
    en: 'Together against the waves: connect four animals to the boat by water.',
    fr: 'Ensemble contre les vagues : reliez quatre animaux au bateau par l’eau.',
    de: 'Gemeinsam gegen die Wellen: Verbindet vier Tiere durch Wasser mit dem Boot.',
    pl: 'Razem przeciw falom: połączcie wodą cztery zwierzęta z łodzią.',
  },
  frame: { left: 28, top: 42, width: 464, height: 464, of: 860 },
  inks: {
    '#e6f1f3': '--board-ground',
    '#7fbcd2': '--board-sea',
    '#a4d3e2': '--board-sea-line',
    '#b4dce9': '--board-sea-2',
    '#4d6670': '--board-name',
    '#22343c': '--board-name',
    '#174656': '--board-sea-name',
    '#efdcae': '--board-sand',
    '#b99a5e': '--board-sand-edge',
    '#cfb277': '--board-bank',
    '#1f86d1': '--board-water',
    '#685c4f': '--board-dry',
    '#f2a900': '--board-last',
  },
};
