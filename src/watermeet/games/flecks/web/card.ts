// Flecks on the home page.
import type { Card } from '@watermeet/board/gameModule';

export const card: Card = {
  order: 4,
  title: { en: 'Flecks', fr: 'Flecks', de: 'Flecks', pl: 'Flecks' },
  tagline: {
    en: 'Place a stone, then shift a whole row. Connect your two borders to win.',
    fr: 'Posez une pierre, puis déplacez toute une rangée. Reliez vos deux bords pour gagner.',
    de: 'Setz einen Stein, dann verschieb eine ganze Reihe. Wer seine beiden Ränder verbindet, gewinnt.',
    pl: 'Połóż kamień, potem przesuń cały rząd. Połącz swoje dwa brzegi, aby wygrać.',
  },
  inks: {
    '#c8321f': '--board-stone-1',
    '#2457b0': '--board-stone-2',
    '#f4ead5': '--board-ground',
    '#f7f0de': '--board-cell',
    '#a98f63': '--board-line',
    '#5c4a2a': '--board-name',
    '#e8b400': '--board-last',
  },
};
