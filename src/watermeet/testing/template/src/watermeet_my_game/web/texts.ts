// The texts of the board in the four languages of the page. Plurals and choices are ICU MessageFormat.
import type { GameTexts } from '@watermeet/app/language.svelte';

export const texts: GameTexts = {
  en: {
    'label.Red': 'Red',
    'label.Blue': 'Blue',
    'label.Green': 'Green', // [3 seats]
    'label.Yellow': 'Yellow', // [4 seats]
    'label.Purple': 'Purple', // [5 seats]
    'label.Orange': 'Orange', // [6 seats]
    'option.size': 'Cells along each side of the board.',
    now: '{who, select, you {Place a stone on an empty cell.} other {{name} to place a stone.}}',
    board: 'Board of {size} by {size} cells',
    empty: 'empty',
    stone: '{colour} stone',
    stones:
      '{count, plural, =0 {You have no stones yet.} one {You have a stone on {list}.} other {You have # stones: {list}.}}',
    help1: 'Place one stone of your colour on any empty cell.',
    help2: 'Three of your stones in a row, across, down or diagonally, win.',
    help3: 'If the board fills up first, the match is a draw.',
  },
  fr: {
    'label.Red': 'Rouge',
    'label.Blue': 'Bleu',
    'label.Green': 'Vert', // [3 seats]
    'label.Yellow': 'Jaune', // [4 seats]
    'label.Purple': 'Violet', // [5 seats]
    'label.Orange': 'Orange', // [6 seats]
    'option.size': 'Cases par côté du plateau.',
    now: '{who, select, you {Posez une pierre sur une case vide.} other {{name} pose une pierre.}}',
    board: 'Plateau de {size} cases sur {size}',
    empty: 'vide',
    stone: 'pierre ({colour})',
    stones:
      '{count, plural, =0 {Vous n’avez pas encore de pierre.} one {Vous avez une pierre en {list}.} other {Vous avez # pierres : {list}.}}',
    help1: 'Posez une pierre de votre couleur sur une case vide.',
    help2: 'Trois de vos pierres alignées, en ligne, en colonne ou en diagonale, gagnent.',
    help3: 'Si le plateau se remplit avant, la partie est nulle.',
  },
  de: {
    'label.Red': 'Rot',
    'label.Blue': 'Blau',
    'label.Green': 'Grün', // [3 seats]
    'label.Yellow': 'Gelb', // [4 seats]
    'label.Purple': 'Lila', // [5 seats]
    'label.Orange': 'Orange', // [6 seats]
    'option.size': 'Felder je Seite des Bretts.',
    now: '{who, select, you {Setze einen Stein auf ein leeres Feld.} other {{name} setzt einen Stein.}}',
    board: 'Brett mit {size} mal {size} Feldern',
    empty: 'leer',
    stone: 'Stein ({colour})',
    stones:
      '{count, plural, =0 {Du hast noch keinen Stein.} one {Du hast einen Stein auf {list}.} other {Du hast # Steine: {list}.}}',
    help1: 'Setze einen Stein deiner Farbe auf ein leeres Feld.',
    help2: 'Drei eigene Steine in einer Reihe – waagerecht, senkrecht oder diagonal – gewinnen.',
    help3: 'Ist das Brett vorher voll, endet die Partie unentschieden.',
  },
  pl: {
    'label.Red': 'Czerwony',
    'label.Blue': 'Niebieski',
    'label.Green': 'Zielony', // [3 seats]
    'label.Yellow': 'Żółty', // [4 seats]
    'label.Purple': 'Fioletowy', // [5 seats]
    'label.Orange': 'Pomarańczowy', // [6 seats]
    'option.size': 'Liczba pól wzdłuż boku planszy.',
    now: '{who, select, you {Połóż kamień na pustym polu.} other {{name} kładzie kamień.}}',
    board: 'Plansza {size} na {size} pól',
    empty: 'puste',
    stone: 'kamień ({colour})',
    stones:
      '{count, plural, =0 {Nie masz jeszcze kamieni.} one {Masz kamień na polu {list}.} few {Masz # kamienie: {list}.} many {Masz # kamieni: {list}.} other {Masz # kamienia: {list}.}}',
    help1: 'Połóż kamień swojego koloru na pustym polu.',
    help2: 'Trzy własne kamienie w rzędzie – poziomo, pionowo lub na ukos – wygrywają.',
    help3: 'Jeśli wcześniej plansza się zapełni, partia kończy się remisem.',
  },
};
