// Hex on the home page.
import type { Card } from '@watermeet/board/gameModule';

export const card: Card = {
  title: { en: 'Hex', fr: 'Hex', de: 'Hex', pl: 'Hex' },
  tagline: {
    en: 'Build a chain from side to side. Somebody always wins.',
    fr: 'Reliez vos deux bords. Il y a toujours un gagnant.',
    de: 'Baut eine Kette von Rand zu Rand. Einer gewinnt immer.',
    pl: 'Zbuduj łańcuch od brzegu do brzegu. Zawsze ktoś wygrywa.',
  },
};
