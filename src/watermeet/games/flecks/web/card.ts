// Flecks on the first page.
import type { Card } from '@watermeet/lib/boards';

export const card: Card = {
  title: { en: 'Flecks', fr: 'Flecks', de: 'Flecks', pl: 'Flecks' },
  tagline: {
    en: 'Add a stone, then shift a whole row. Join both borders of your colour.',
    fr: 'Ajoutez une pierre, puis déplacez toute une rangée. Reliez les deux bords de votre couleur.',
    de: 'Setze einen Stein, dann schiebe eine ganze Reihe. Verbinde beide Ränder deiner Farbe.',
    pl: 'Dołóż kamień, potem przesuń cały rząd. Połącz oba brzegi swojego koloru.',
  },
};
