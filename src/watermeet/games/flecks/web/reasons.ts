// Sentences for Flecks' explanations, by the codes of explain.py: why a move is refused, what it
// does in an example, and how a match ended. Without one the page shows the server's English.
import type { Reasons } from '@watermeet/board/reasons.svelte';

export const reasons: Reasons = {
  fr: {
    moves_row:
      'La rangée de {rear} à {front} avance de {steps, plural, one {# pas} other {# pas}} ({direction}).',
    connected: '{winner} relie ses deux bords et gagne.',
    stone_added: '{colour} a déjà posé une pierre : déplacez une rangée ou terminez le tour.',
    occupied: 'Il y a déjà une pierre en {move} ({colour}).',
    not_on_rim:
      'La première pierre de la partie se pose sur le pourtour du plateau ; {move} n’en fait pas partie.',
    not_adjacent:
      'Une nouvelle pierre doit en toucher une de la même couleur ({colour}) ; ce n’est pas le cas en {move}.',
    stop_too_early: '{colour} ne peut pas encore terminer son tour.',
    opening:
      'On ne déplace aucune rangée pendant l’ouverture ; il reste {left, plural, one {# pierre} other {# pierres}} à poser.',
    must_add:
      'Aucune pierre n’a été posée depuis {idle, plural, one {# tour} other {# tours}} : {colour} doit en poser une.',
    add_first: '{colour} doit d’abord poser une pierre avant de déplacer une rangée.',
    no_own_stone:
      'Il n’y a pas de pierre à vous en {cell} ; indiquez la pierre arrière d’une de vos rangées.',
    new_stone: 'La pierre posée à ce tour ne peut pas bouger.',
    too_far:
      'La rangée qui part de {rear} ({direction}) a {length, plural, one {# pierre} other {# pierres}} : elle n’avance pas de plus de {length, plural, one {# pas} other {# pas}}.',
    blocked: 'La rangée qui part de {rear} ({direction}) est bloquée.',
    'word.Red': 'Rouge',
    'word.Blue': 'Bleu',
    'word.east': 'est',
    'word.south-east': 'sud-est',
    'word.south-west': 'sud-ouest',
    'word.west': 'ouest',
    'word.north-west': 'nord-ouest',
    'word.north-east': 'nord-est',
  },
  de: {
    moves_row:
      'Die Reihe von {rear} bis {front} rückt {steps, plural, one {# Schritt} other {# Schritte}} nach {direction}.',
    connected: '{winner} hat beide Ränder verbunden und gewinnt.',
    stone_added:
      '{colour} hat schon einen Stein gesetzt: Verschiebe eine Reihe oder beende den Zug.',
    occupied: 'Auf {move} liegt schon ein Stein ({colour}).',
    not_on_rim: 'Der erste Stein der Partie muss auf ein Randfeld; {move} ist keins.',
    not_adjacent:
      'Ein neuer Stein muss an einen der eigenen Farbe ({colour}) grenzen; auf {move} tut er das nicht.',
    stop_too_early: '{colour} kann den Zug noch nicht beenden.',
    opening:
      'In der Eröffnung wird keine Reihe verschoben; {left, plural, one {# Stein fehlt} other {# Steine fehlen}} noch.',
    must_add:
      'Seit {idle, plural, one {# Zug} other {# Zügen}} kam kein Stein dazu: {colour} muss jetzt einen setzen.',
    add_first: '{colour} muss erst einen Stein setzen; danach darf eine Reihe verschoben werden.',
    no_own_stone:
      'Auf {cell} liegt kein Stein von dir; gib den hintersten Stein einer deiner Reihen an.',
    new_stone: 'Der in diesem Zug gesetzte Stein darf nicht bewegt werden.',
    too_far:
      'Die Reihe ab {rear} nach {direction} hat {length, plural, one {# Stein} other {# Steine}} und rückt deshalb höchstens {length, plural, one {# Schritt} other {# Schritte}} weit.',
    blocked: 'Die Reihe ab {rear} nach {direction} ist blockiert.',
    'word.Red': 'Rot',
    'word.Blue': 'Blau',
    'word.east': 'Osten',
    'word.south-east': 'Südosten',
    'word.south-west': 'Südwesten',
    'word.west': 'Westen',
    'word.north-west': 'Nordwesten',
    'word.north-east': 'Nordosten',
  },
  pl: {
    moves_row:
      'Rząd od {rear} do {front} przesuwa się o {steps, plural, one {# krok} few {# kroki} many {# kroków} other {# kroku}} na {direction}.',
    connected: '{winner} łączy oba swoje brzegi i wygrywa.',
    stone_added: '{colour} położył już kamień w tej turze: przesuń rząd albo zakończ turę.',
    occupied: 'Na {move} leży już kamień ({colour}).',
    not_on_rim: 'Pierwszy kamień w partii trzeba położyć na skraju planszy, a {move} tam nie leży.',
    not_adjacent:
      'Nowy kamień musi dotykać kamienia tego samego koloru ({colour}), a {move} żadnego nie dotyka.',
    stop_too_early: '{colour} nie może jeszcze zakończyć tury.',
    opening:
      'W otwarciu nie przesuwa się rzędów; do położenia {left, plural, one {został # kamień} few {zostały # kamienie} many {zostało # kamieni} other {zostało # kamienia}}.',
    must_add:
      'Od {idle, plural, one {# tury} few {# tur} many {# tur} other {# tury}} nikt nie położył kamienia: {colour} musi to zrobić teraz.',
    add_first: '{colour} musi najpierw położyć kamień; dopiero potem można przesunąć rząd.',
    no_own_stone: 'Na {cell} nie ma twojego kamienia; wskaż tylny kamień jednego ze swoich rzędów.',
    new_stone: 'Kamienia położonego w tej turze nie wolno przesuwać.',
    too_far:
      'Rząd od {rear} na {direction} ma {length, plural, one {# kamień} few {# kamienie} many {# kamieni} other {# kamienia}}, więc przesunie się najwyżej o {length, plural, one {# krok} few {# kroki} many {# kroków} other {# kroku}}.',
    blocked: 'Rząd od {rear} na {direction} jest zablokowany.',
    'word.Red': 'Czerwony',
    'word.Blue': 'Niebieski',
    'word.east': 'wschód',
    'word.south-east': 'południowy wschód',
    'word.south-west': 'południowy zachód',
    'word.west': 'zachód',
    'word.north-west': 'północny zachód',
    'word.north-east': 'północny wschód',
  },
};
