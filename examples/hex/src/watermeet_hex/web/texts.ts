// The texts of the board in the four languages of the page. Plurals and choices are ICU MessageFormat.
import type { GameTexts } from '@watermeet/app/language.svelte';

export const texts: GameTexts = {
  en: {
    'label.Red': 'Red',
    'label.Blue': 'Blue',
    'seat.0': 'Red (moves first)',
    'seat.1': 'Blue (moves second)',
    'option.size': 'Cells along each side of the board.',
    'option.pie': 'May the second player take over the first stone?',
    credit: 'Hex was invented by Piet Hein (1942) and, independently, John Nash (1948).',
    now: '{who, select, you {Place a stone on an empty cell.} other {{name} to place a stone.}}',
    nowOrSwap:
      '{who, select, you {Place a stone, or take over the first one.} other {{name} to place a stone, or to swap.}}',
    board: 'Board of {size} by {size} cells',
    empty: 'empty',
    stone: '{colour} stone',
    inChain: '{stone}, part of the winning chain',
    stones:
      '{count, plural, =0 {You have no stones yet.} one {You have a stone on {list}.} other {You have # stones: {list}.}}',
    swap: 'Swap',
    swapLabel: 'Swap: take over the first stone, mirrored',
    swapMove: 'swap',
    help1: 'Place one stone of your colour on any empty cell. Stones never move.',
    help2: 'Red wins with a chain of stones from top to bottom, Blue with one from left to right.',
    help3:
      'With the pie rule, Blue may swap instead of placing a first stone: the red stone becomes a blue one on the mirrored cell.',
    help4: 'To block the other player, you must connect your own sides: there are no draws.',
  },
  fr: {
    'label.Red': 'Rouge',
    'label.Blue': 'Bleu',
    'seat.0': 'Rouge (commence)',
    'seat.1': 'Bleu (joue en second)',
    'option.size': 'Cases par côté du plateau.',
    'option.pie': 'Le second joueur peut-il reprendre la première pierre à son compte ?',
    credit: 'Hex a été inventé par Piet Hein (1942) et, indépendamment, par John Nash (1948).',
    now: '{who, select, you {Posez une pierre sur une case vide.} other {{name} pose une pierre.}}',
    nowOrSwap:
      '{who, select, you {Posez une pierre, ou reprenez la première.} other {{name} pose une pierre ou échange.}}',
    board: 'Plateau de {size} cases sur {size}',
    empty: 'vide',
    stone: 'pierre ({colour})',
    inChain: '{stone}, dans la chaîne gagnante',
    stones:
      '{count, plural, =0 {Vous n’avez pas encore de pierre.} one {Vous avez une pierre en {list}.} other {Vous avez # pierres : {list}.}}',
    swap: 'Échanger',
    swapLabel: 'Échanger : reprendre la première pierre, en miroir',
    swapMove: 'échange',
    help1: 'Posez une pierre de votre couleur sur une case vide. Les pierres ne bougent plus.',
    help2:
      'Rouge gagne avec une chaîne de pierres du haut jusqu’en bas, Bleu avec une chaîne de gauche à droite.',
    help3:
      'Avec la règle du gâteau, Bleu peut échanger au lieu de poser sa première pierre : la pierre rouge devient une pierre bleue sur la case symétrique.',
    help4:
      'Pour barrer la route à l’autre, il faut relier ses propres bords : pas de partie nulle.',
  },
  de: {
    'label.Red': 'Rot',
    'label.Blue': 'Blau',
    'seat.0': 'Rot (beginnt)',
    'seat.1': 'Blau (zieht als Zweiter)',
    'option.size': 'Felder je Seite des Bretts.',
    'option.pie': 'Darf der zweite Spieler den ersten Stein übernehmen?',
    credit: 'Hex wurde von Piet Hein (1942) und unabhängig von ihm von John Nash (1948) erfunden.',
    now: '{who, select, you {Setze einen Stein auf ein leeres Feld.} other {{name} setzt einen Stein.}}',
    nowOrSwap:
      '{who, select, you {Setze einen Stein oder übernimm den ersten.} other {{name} setzt einen Stein oder tauscht.}}',
    board: 'Brett mit {size} mal {size} Feldern',
    empty: 'leer',
    stone: 'Stein ({colour})',
    inChain: '{stone}, in der Gewinnkette',
    stones:
      '{count, plural, =0 {Du hast noch keinen Stein.} one {Du hast einen Stein auf {list}.} other {Du hast # Steine: {list}.}}',
    swap: 'Tauschen',
    swapLabel: 'Tauschen: den ersten Stein gespiegelt übernehmen',
    swapMove: 'Tausch',
    help1: 'Setze einen Stein deiner Farbe auf ein leeres Feld. Steine bleiben liegen.',
    help2:
      'Rot gewinnt mit einer Kette von oben nach unten, Blau mit einer Kette von links nach rechts.',
    help3:
      'Mit der Kuchenregel darf Blau tauschen, statt den ersten Stein zu setzen: Aus dem roten Stein wird ein blauer auf dem gespiegelten Feld.',
    help4:
      'Wer den anderen ganz aufhält, hat die eigenen Ränder verbunden: Ein Unentschieden gibt es nicht.',
  },
  pl: {
    'label.Red': 'Czerwony',
    'label.Blue': 'Niebieski',
    'seat.0': 'Czerwony (zaczyna)',
    'seat.1': 'Niebieski (rusza się drugi)',
    'option.size': 'Liczba pól wzdłuż boku planszy.',
    'option.pie': 'Czy drugi gracz może przejąć pierwszy kamień?',
    credit: 'Grę Hex wymyślił Piet Hein (1942), a niezależnie od niego John Nash (1948).',
    now: '{who, select, you {Połóż kamień na pustym polu.} other {{name} kładzie kamień.}}',
    nowOrSwap:
      '{who, select, you {Połóż kamień albo przejmij pierwszy.} other {{name} kładzie kamień albo dokonuje zamiany.}}',
    board: 'Plansza {size} na {size} pól',
    empty: 'puste',
    stone: 'kamień ({colour})',
    inChain: '{stone}, w zwycięskim łańcuchu',
    stones:
      '{count, plural, =0 {Nie masz jeszcze kamieni.} one {Masz kamień na polu {list}.} few {Masz # kamienie: {list}.} many {Masz # kamieni: {list}.} other {Masz # kamienia: {list}.}}',
    swap: 'Zamień',
    swapLabel: 'Zamień: przejmij pierwszy kamień w lustrzanym odbiciu',
    swapMove: 'zamiana',
    help1: 'Połóż kamień swojego koloru na pustym polu. Kamieni się nie przesuwa.',
    help2:
      'Czerwony wygrywa łańcuchem kamieni od góry do dołu, niebieski – od lewego brzegu do prawego.',
    help3:
      'Zgodnie z zasadą tortu niebieski może zamiast położyć pierwszy kamień dokonać zamiany: czerwony kamień staje się niebieskim na polu w lustrzanym odbiciu.',
    help4: 'Zablokować rywala można tylko, łącząc własne brzegi: remisów nie ma.',
  },
};
