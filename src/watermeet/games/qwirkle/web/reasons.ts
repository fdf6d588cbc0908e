// Sentences for Qwirkle's explanations, by the codes of explain.py: why a move is refused, what it
// does in an example, and how a match ended. Without one the page shows the server's English.
import type { Reasons } from '@watermeet/board/reasons.svelte';

export const reasons: Reasons = {
  fr: {
    lays: '{move} peut se poser là ; le tour rapporterait alors {points, plural, one {# point} other {# points}}.',
    drawing: 'Attendez la fin du tirage.',
    hidden_hand: 'Seul {seat} sait ce que {seat} peut jouer.',
    trading_already:
      'Vous échangez des tuiles à ce tour : mettez-en d’autres de côté ou terminez votre tour.',
    not_in_hand: 'Cette tuile n’est pas dans votre main ({hand}).',
    no_cell: 'Aucune case ne porte ce numéro.',
    not_first_cell: 'La première tuile de la partie se pose en 0,0.',
    touches_nothing: 'Une tuile posée là n’en toucherait aucune autre.',
    occupied: 'Il y a déjà une tuile en {cell}.',
    out_of_line: '{cell} n’est pas aligné avec les autres tuiles de ce tour.',
    gap: 'Il y a un trou entre {cell} et les autres tuiles de ce tour.',
    too_long: 'La {line} deviendrait {tiles} : plus de six tuiles.',
    equal_tiles: 'La {line} deviendrait {tiles} : deux tuiles identiques.',
    no_common: 'La {line} deviendrait {tiles} : ni la même couleur, ni la même forme.',
    not_largest_set:
      'Au premier tour, il faut poser sa plus grande série, et cette tuile n’en fait pas partie.',
    other_number: 'Ce coup porte un autre numéro ; écrivez-le en toutes lettres.',
    laid_already:
      'Vous avez déjà posé des tuiles à ce tour : posez-en d’autres ou terminez votre tour.',
    first_turn: 'Au premier tour de la partie, il faut poser des tuiles.',
    bag_too_small:
      '{bag, plural, =0 {Le sac est vide} one {Il ne reste que # tuile dans le sac} other {Il ne reste que # tuiles dans le sac}} : impossible d’en échanger davantage.',
    not_in_order: 'Mettez les tuiles de côté dans l’ordre : {tile} aurait dû venir plus tôt.',
    set_not_whole: 'Au premier tour, il faut poser sa plus grande série en entier.',
    nothing_done: 'Posez une tuile ou mettez-en une de côté avant de terminer votre tour.',
    turn_begun: 'Vous avez déjà commencé votre tour : terminez-le.',
    bag_not_empty:
      'On ne peut pas passer tant qu’il reste des tuiles dans le sac : posez-en ou échangez-en.',
    can_place: 'On ne peut pas passer si l’on peut poser une tuile, par exemple {move}.',
    no_lot: '{seat} ne peut pas commencer.',
    not_drawing: 'On ne pioche pas maintenant.',
    not_in_bag: 'Il n’y a plus de {tile} dans le sac.',
    hand_emptied:
      '{last} a posé la dernière tuile. {count, plural, one {{winners} gagne, {scores}.} other {{winners} se partagent la victoire, {scores}.}}',
    all_passed:
      'Plus personne ne peut poser de tuile. {count, plural, one {{winners} gagne, {scores}.} other {{winners} se partagent la victoire, {scores}.}}',
    only_exchanges:
      'Il n’y a eu que des échanges pendant trop longtemps. {count, plural, one {{winners} gagne, {scores}.} other {{winners} se partagent la victoire, {scores}.}}',
    'word.Player': 'Joueur',
    'word.and': 'et',
    'word.row': 'rangée',
    'word.column': 'colonne',
  },
  de: {
    lays: '{move} passt; der Zug brächte dann {points, plural, one {# Punkt} other {# Punkte}}.',
    drawing: 'Warte, bis fertig gezogen ist.',
    hidden_hand: 'Was {seat} spielen kann, weiß nur {seat}.',
    trading_already:
      'Du tauschst in diesem Zug: Lege weitere Steine beiseite oder beende deinen Zug.',
    not_in_hand: 'Diesen Stein hast du nicht auf der Hand ({hand}).',
    no_cell: 'Kein Feld hat diese Nummer.',
    not_first_cell: 'Der erste Stein der Partie kommt auf 0,0.',
    touches_nothing: 'Dort würde der Stein keinen anderen berühren.',
    occupied: 'Auf {cell} liegt schon ein Stein.',
    out_of_line: '{cell} liegt nicht in einer Linie mit den anderen Steinen dieses Zuges.',
    gap: 'Zwischen {cell} und den anderen Steinen dieses Zuges ist eine Lücke.',
    too_long: 'Die {line} wäre {tiles}: mehr als sechs Steine.',
    equal_tiles: 'Die {line} wäre {tiles}: zwei gleiche Steine.',
    no_common: 'Die {line} wäre {tiles}: weder gleiche Farbe noch gleiche Form.',
    not_largest_set:
      'Im ersten Zug muss man einen größten Satz legen, und dieser Stein gehört nicht dazu.',
    other_number: 'Dieser Zug hat eine andere Nummer; schreib ihn aus.',
    laid_already: 'Du hast in diesem Zug schon Steine gelegt: Lege weitere oder beende deinen Zug.',
    first_turn: 'Im ersten Zug der Partie muss man Steine legen.',
    bag_too_small:
      'Im Beutel {bag, plural, =0 {ist kein Stein} one {ist nur noch # Stein} other {sind nur noch # Steine}}: Mehr kannst du nicht tauschen.',
    not_in_order: 'Lege die Steine der Reihe nach beiseite: {tile} käme früher.',
    set_not_whole: 'Im ersten Zug muss man einen größten Satz vollständig legen.',
    nothing_done: 'Lege oder tausche erst einen Stein, dann kannst du den Zug beenden.',
    turn_begun: 'Du hast deinen Zug schon begonnen: Beende ihn.',
    bag_not_empty: 'Solange im Beutel Steine sind, kannst du nicht passen: Lege oder tausche.',
    can_place: 'Du kannst nicht passen, solange ein Stein passt, zum Beispiel {move}.',
    no_lot: '{seat} kann nicht beginnen.',
    not_drawing: 'Jetzt wird nicht gezogen.',
    not_in_bag: 'Im Beutel ist kein {tile} mehr.',
    hand_emptied:
      '{last} hat den letzten Stein gelegt. {count, plural, one {{winners} gewinnt, {scores}.} other {{winners} teilen sich den Sieg, {scores}.}}',
    all_passed:
      'Niemand kann mehr legen. {count, plural, one {{winners} gewinnt, {scores}.} other {{winners} teilen sich den Sieg, {scores}.}}',
    only_exchanges:
      'Es wurde zu lange nur getauscht. {count, plural, one {{winners} gewinnt, {scores}.} other {{winners} teilen sich den Sieg, {scores}.}}',
    'word.Player': 'Spieler',
    'word.and': 'und',
    'word.row': 'Zeile',
    'word.column': 'Spalte',
  },
  pl: {
    lays: '{move} pasuje; tura dałaby wtedy {points, plural, one {# punkt} few {# punkty} many {# punktów} other {# punktu}}.',
    drawing: 'Poczekaj, aż kafelki zostaną dobrane.',
    hidden_hand: 'Tylko {seat} wie, co może zagrać {seat}.',
    trading_already: 'W tej turze wymieniasz kafelki: odłóż kolejne albo zakończ turę.',
    not_in_hand: 'Tego kafelka nie ma na ręce ({hand}).',
    no_cell: 'Żadne pole nie ma takiego numeru.',
    not_first_cell: 'Pierwszy kafelek w partii kładzie się na 0,0.',
    touches_nothing: 'W tym miejscu kafelek nie dotykałby żadnego innego.',
    occupied: 'Na {cell} leży już kafelek.',
    out_of_line: '{cell} nie leży w jednej linii z pozostałymi kafelkami tej tury.',
    gap: 'Między {cell} a pozostałymi kafelkami tej tury jest przerwa.',
    too_long: 'Powstałby {line} {tiles}: więcej niż sześć kafelków.',
    equal_tiles: 'Powstałby {line} {tiles}: dwa kafelki są takie same.',
    no_common: 'Powstałby {line} {tiles}: nie łączy ich ani kolor, ani kształt.',
    not_largest_set:
      'W pierwszej turze trzeba wyłożyć największy zestaw, a ten kafelek do niego nie należy.',
    other_number: 'Ten ruch ma inny numer; zapisz go słowami.',
    laid_already: 'W tej turze wyłożono już kafelki: dołóż kolejne albo zakończ turę.',
    first_turn: 'W pierwszej turze partii trzeba wyłożyć kafelki.',
    bag_too_small:
      'W worku {bag, plural, =0 {nie ma kafelków} one {jest tylko # kafelek} few {są tylko # kafelki} many {jest tylko # kafelków} other {jest tylko # kafelka}}, więc nie można wymienić więcej.',
    not_in_order: 'Odkładaj kafelki po kolei: {tile} powinien być wcześniej.',
    set_not_whole: 'W pierwszej turze trzeba wyłożyć cały największy zestaw.',
    nothing_done: 'Zanim zakończysz turę, wyłóż kafelek albo odłóż jakiś do wymiany.',
    turn_begun: 'Tura już się zaczęła: zakończ ją.',
    bag_not_empty: 'Nie możesz spasować, dopóki w worku są kafelki: wyłóż jakiś albo wymień.',
    can_place: 'Nie możesz spasować, dopóki masz co wyłożyć, na przykład {move}.',
    no_lot: '{seat} nie może zacząć.',
    not_drawing: 'Teraz się nie dobiera.',
    not_in_bag: 'W worku nie ma już {tile}.',
    hand_emptied:
      '{last} wykłada ostatni kafelek. {count, plural, one {{winners} wygrywa, {scores}.} few {{winners} dzielą się zwycięstwem, {scores}.} many {{winners} dzielą się zwycięstwem, {scores}.} other {{winners} dzielą się zwycięstwem, {scores}.}}',
    all_passed:
      'Nikt nie może już wyłożyć kafelka. {count, plural, one {{winners} wygrywa, {scores}.} few {{winners} dzielą się zwycięstwem, {scores}.} many {{winners} dzielą się zwycięstwem, {scores}.} other {{winners} dzielą się zwycięstwem, {scores}.}}',
    only_exchanges:
      'Zbyt długo były same wymiany. {count, plural, one {{winners} wygrywa, {scores}.} few {{winners} dzielą się zwycięstwem, {scores}.} many {{winners} dzielą się zwycięstwem, {scores}.} other {{winners} dzielą się zwycięstwem, {scores}.}}',
    'word.Player': 'Gracz',
    'word.and': 'i',
    'word.row': 'ciąg poziomy',
    'word.column': 'ciąg pionowy',
  },
};
