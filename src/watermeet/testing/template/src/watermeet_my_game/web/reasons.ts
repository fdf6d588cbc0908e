// The sentences of explain.py in the other languages, by code; English comes from the server.
import type { Reasons } from '@watermeet/board/reasons.svelte';

export const reasons: Reasons = {
  fr: {
    occupied: '{move} porte déjà une pierre ({colour}).',
    places: '{colour} pose une pierre en {move}.',
    wins: '{move} en aligne trois : {colour} gagne.',
    three_in_a_row: '{winner} aligne trois pierres et gagne.',
    board_full: 'Le plateau est plein : la partie est nulle.',
    'word.Red': 'Rouge',
    'word.Blue': 'Bleu',
    'word.Green': 'Vert', // [3 seats]
    'word.Yellow': 'Jaune', // [4 seats]
    'word.Purple': 'Violet', // [5 seats]
    'word.Orange': 'Orange', // [6 seats]
  },
  de: {
    occupied: 'Auf {move} liegt schon ein Stein ({colour}).',
    places: '{colour} setzt einen Stein auf {move}.',
    wins: '{move} ergibt drei in einer Reihe: {colour} gewinnt.',
    three_in_a_row: '{winner} hat drei in einer Reihe und gewinnt.',
    board_full: 'Das Brett ist voll: Die Partie endet unentschieden.',
    'word.Red': 'Rot',
    'word.Blue': 'Blau',
    'word.Green': 'Grün', // [3 seats]
    'word.Yellow': 'Gelb', // [4 seats]
    'word.Purple': 'Lila', // [5 seats]
    'word.Orange': 'Orange', // [6 seats]
  },
  pl: {
    occupied: 'Na polu {move} leży już kamień ({colour}).',
    places: '{colour} kładzie kamień na polu {move}.',
    wins: '{move} to trzy w rzędzie: {colour} wygrywa.',
    three_in_a_row: '{winner} ma trzy w rzędzie i wygrywa.',
    board_full: 'Plansza jest pełna: remis.',
    'word.Red': 'Czerwony',
    'word.Blue': 'Niebieski',
    'word.Green': 'Zielony', // [3 seats]
    'word.Yellow': 'Żółty', // [4 seats]
    'word.Purple': 'Fioletowy', // [5 seats]
    'word.Orange': 'Pomarańczowy', // [6 seats]
  },
};
