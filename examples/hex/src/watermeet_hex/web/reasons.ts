// The sentences of explain.py in the other languages, by code; English comes from the server.
import type { Reasons } from '@watermeet/board/reasons.svelte';

export const reasons: Reasons = {
  fr: {
    occupied: '{move} porte déjà une pierre ({colour}).',
    swap_early: 'Il n’y a pas encore de pierre à reprendre.',
    swap_late: 'Bleu ne peut échanger qu’à son premier tour.',
    places: '{colour} pose une pierre en {move}.',
    swaps:
      'Bleu reprend la première pierre : elle quitte {old}, et une pierre bleue arrive en {new}.',
    wins: '{move} relie {sides} : {colour} gagne.',
    connected: '{winner} a relié {sides} et gagne.',
    'word.Red': 'Rouge',
    'word.Blue': 'Bleu',
    'word.top and bottom': 'le haut et le bas',
    'word.left and right': 'la gauche et la droite',
  },
  de: {
    occupied: 'Auf {move} liegt schon ein Stein ({colour}).',
    swap_early: 'Noch gibt es keinen Stein zu übernehmen.',
    swap_late: 'Tauschen kann Blau nur im ersten Zug.',
    places: '{colour} setzt einen Stein auf {move}.',
    swaps: 'Blau übernimmt den ersten Stein: Er verlässt {old}, und ein blauer kommt auf {new}.',
    wins: '{move} verbindet {sides}: {colour} gewinnt.',
    connected: '{winner} hat {sides} verbunden und gewinnt.',
    'word.Red': 'Rot',
    'word.Blue': 'Blau',
    'word.top and bottom': 'oben und unten',
    'word.left and right': 'links und rechts',
  },
  pl: {
    occupied: 'Na polu {move} leży już kamień ({colour}).',
    swap_early: 'Nie ma jeszcze kamienia do przejęcia.',
    swap_late: 'Zamiana jest możliwa tylko w pierwszej turze niebieskiego.',
    places: '{colour} kładzie kamień na polu {move}.',
    swaps:
      'Niebieski przejmuje pierwszy kamień: ten schodzi z pola {old}, a niebieski staje na polu {new}.',
    wins: '{move} łączy {sides}: {colour} wygrywa.',
    connected: '{winner} łączy {sides} i wygrywa.',
    'word.Red': 'Czerwony',
    'word.Blue': 'Niebieski',
    'word.top and bottom': 'górny brzeg z dolnym',
    'word.left and right': 'lewy brzeg z prawym',
  },
};
