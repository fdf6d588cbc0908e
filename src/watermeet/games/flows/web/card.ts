// Flows on the home page.
import type { Card } from '@watermeet/board/gameModule';

export const card: Card = {
  order: 2,
  title: {
    en: 'Flows (Quortex)',
    fr: 'Flows (Quortex)',
    de: 'Flows (Quortex)',
    pl: 'Flows (Quortex)',
  },
  tagline: {
    en: 'Every tile has three strands. Run one from your side of the board to the other.',
    fr: 'Chaque tuile porte trois brins. Menez-en un de votre côté jusqu’à celui d’en face.',
    de: 'Jedes Plättchen hat drei Stränge. Führe einen von deiner Seite zur gegenüberliegenden.',
    pl: 'Każdy kafelek ma trzy nitki. Poprowadź jedną od swojego boku do przeciwnego.',
  },
  frame: { left: 8, top: 20, width: 552, height: 482, of: 832.8 },
  inks: {
    '#ebe5d9': '--board-ground',
    '#3c3a36': '--board-name',
    '#8b8371': '--board-name',
    '#f8f4ea': '--board-cell',
    '#cfc5b0': '--board-line',
    '#2d333d': '--board-tile',
    '#4a525f': '--board-tile-edge',
    '#98a1ae': '--board-strand',
    '#f5b800': '--board-win',
    '#f25648': '--player-1',
    '#58a6ff': '--player-2',
    '#ffe14a': '--player-3',
    '#3dbd6f': '--player-4',
    '#c48bff': '--player-5',
    '#ff9430': '--player-6',
  },
};
