// Flume on the first page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  title: { en: 'Flume', fr: 'Flume', de: 'Flume', pl: 'Flume' },
  tagline: {
    en: 'Stones that touch three or four others let you move again. Most stones win.',
    fr: 'Une pierre qui en touche trois ou quatre fait rejouer. Le plus de pierres gagne.',
    de: 'Wer drei oder vier Nachbarn berührt, zieht noch einmal. Die meisten Steine gewinnen.',
    pl: 'Kamień stykający się z trzema lub czterema daje kolejny ruch. Wygrywa więcej kamieni.',
  },
};
