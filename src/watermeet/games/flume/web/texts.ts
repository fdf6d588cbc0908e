// The texts of Flume's board.
import type { GameTexts } from '@watermeet/app/language.svelte';

export const texts: GameTexts = {
  en: {
    'seat.0': 'Red, moves first',
    'seat.1': 'Blue',
    'label.Red': 'Red',
    'label.Blue': 'Blue',
    'option.size': 'Points along each side of the board, not counting the green rim.',
    'option.pie': 'After the first stone the second player may swap colours.',
    'option.no_centre_first': 'The first stone may not be placed on the centre.',
    'ended.most_stones': 'The board is full: {red} red stones, {blue} blue ones.',
    place: '{who, select, you {Place a stone.} other {{name} places a stone.}}',
    placeOrSwap:
      '{who, select, you {Place a stone or swap colours.} other {{name} places a stone or swaps colours.}}',
    decided:
      '{who, select, you {You have} other {{name} has}} more than half of the points and can’t lose.',
    swap: 'Swap colours',
    board: 'Board of {size} by {size} points',
    free: 'free',
    red: 'red stone',
    blue: 'blue stone',
    makes: 'makes {count, plural, =0 {no connections} one {# connection} other {# connections}}',
    movesAgain: 'and you move again',
    help1:
      'Place a stone of your colour on any free point. Lines show its connections to neighbouring stones of either colour. The green points on the rim count as well.',
    help2:
      'If your stone makes three or four connections, you move again. Points where it would are circled.',
    help3: 'When the board is full, the player with more stones wins.',
    again:
      '{who, select, you {You move again} other {{name} moves again}}: {count, plural, one {# neighbour} other {# neighbours}}.',
    movesAgainShort: 'moves again',
    chainOf: '{count, plural, one {# stone} other {# stones}}',
    newsPlaced:
      '{who, select, you {You place} other {{name} places}} a stone on {cell}: {count, plural, =0 {no neighbours} one {# neighbour} other {# neighbours}}.',
    swapped: 'Colours swapped',
    swapHint: 'If you swap, the stone on the board is yours and {name} plays blue.',
    newsSwap:
      '{who, select, you {You swap colours and play} other {{name} swaps colours and plays}} {colour, select, Red {red} other {blue}} now. {otherWho, select, you {You play} other {{other} plays}} {colour, select, Red {blue} other {red}}.',
    captionSwap: '{who, select, you {You swapped} other {{name} swapped}} colours',
    dragHint: 'Choose a point, or drag the stone there.',
    waitHint: 'A circled point earns another move.',
    stones: '{count, plural, =0 {No stones yet.} one {# stone: {list}.} other {# stones: {list}.}}',
    freePoints: '{count, plural, one {# point is free.} other {# points are free.}}',
    movesAgainAt: 'You move again on {list}.',
    movesAgainNowhere: 'None of them lets you move again.',
    hintPlace:
      'Place {count, plural, one {a stone} other {stones}} on {list}{again, select, yes {, and move again} other {}}.',
  },
  fr: {
    'seat.0': 'Rouge, commence',
    'seat.1': 'Bleu',
    'label.Red': 'Rouge',
    'label.Blue': 'Bleu',
    'option.size': 'Nombre de points par côté, sans compter le bord vert.',
    'option.pie': 'Après la première pierre, le second joueur peut échanger les couleurs.',
    'option.no_centre_first': 'La première pierre ne peut pas être posée au centre.',
    'ended.most_stones': 'Le plateau est plein : {red} pierres rouges, {blue} bleues.',
    place: '{who, select, you {Posez une pierre.} other {{name} pose une pierre.}}',
    placeOrSwap:
      '{who, select, you {Posez une pierre ou échangez les couleurs.} other {{name} pose une pierre ou échange les couleurs.}}',
    decided:
      '{who, select, you {Vous avez plus de la moitié des points et ne pouvez plus perdre.} other {{name} a plus de la moitié des points et ne peut plus perdre.}}',
    swap: 'Échanger les couleurs',
    board: 'Plateau de {size} points sur {size}',
    free: 'libre',
    red: 'pierre rouge',
    blue: 'pierre bleue',
    makes: '{count, plural, =0 {aucune liaison} one {# liaison} other {# liaisons}}',
    movesAgain: 'et vous rejouez',
    help1:
      'Posez une pierre de votre couleur sur n’importe quel point libre. Des traits montrent ses liaisons avec les pierres voisines, quelle que soit leur couleur. Les points verts du bord comptent aussi.',
    help2:
      'Si votre pierre fait trois ou quatre liaisons, vous rejouez. Les points où ce serait le cas sont entourés.',
    help3: 'Quand le plateau est plein, le joueur qui a le plus de pierres gagne.',
    again:
      '{who, select, you {Vous rejouez} other {{name} rejoue}} : {count, plural, one {# voisin} other {# voisins}}.',
    movesAgainShort: 'rejoue',
    chainOf: '{count, plural, one {# pierre} other {# pierres}}',
    newsPlaced:
      '{who, select, you {Vous posez} other {{name} pose}} une pierre en {cell} : {count, plural, =0 {aucun voisin} one {# voisin} other {# voisins}}.',
    swapped: 'Couleurs échangées',
    swapHint: 'Si vous échangez, la pierre posée est à vous et {name} joue les bleues.',
    newsSwap:
      '{who, select, you {Vous échangez les couleurs et jouez} other {{name} échange les couleurs et joue}} maintenant les {colour, select, Red {rouges} other {bleues}}. {otherWho, select, you {Vous jouez} other {{other} joue}} les {colour, select, Red {bleues} other {rouges}}.',
    captionSwap: '{who, select, you {Vous avez échangé} other {{name} a échangé}} les couleurs',
    dragHint: 'Choisissez un point, ou faites-y glisser la pierre.',
    waitHint: 'Un point entouré donne droit à un coup de plus.',
    stones:
      '{count, plural, =0 {Aucune pierre pour l’instant.} one {# pierre : {list}.} other {# pierres : {list}.}}',
    freePoints: '{count, plural, one {# point est libre.} other {# points sont libres.}}',
    movesAgainAt: 'Vous rejouez en {list}.',
    movesAgainNowhere: 'Aucun ne vous fait rejouer.',
    hintPlace:
      'Posez {count, plural, one {une pierre} other {des pierres}} en {list}{again, select, yes { et rejouez} other {}}.',
  },
  de: {
    'seat.0': 'Rot, beginnt',
    'seat.1': 'Blau',
    'label.Red': 'Rot',
    'label.Blue': 'Blau',
    'option.size': 'Punkte je Seite, ohne den grünen Rand.',
    'option.pie': 'Nach dem ersten Stein darf der zweite Spieler die Farben tauschen.',
    'option.no_centre_first': 'Der erste Stein darf nicht in die Mitte.',
    'ended.most_stones': 'Das Brett ist voll: {red} rote Steine, {blue} blaue.',
    place: '{who, select, you {Setze einen Stein.} other {{name} setzt einen Stein.}}',
    placeOrSwap:
      '{who, select, you {Setze einen Stein oder tausche die Farben.} other {{name} setzt einen Stein oder tauscht die Farben.}}',
    decided:
      '{who, select, you {Du hast mehr als die Hälfte der Punkte und kannst nicht mehr verlieren.} other {{name} hat mehr als die Hälfte der Punkte und kann nicht mehr verlieren.}}',
    swap: 'Farben tauschen',
    board: 'Brett mit {size} mal {size} Punkten',
    free: 'frei',
    red: 'roter Stein',
    blue: 'blauer Stein',
    makes: '{count, plural, =0 {keine Verbindung} one {# Verbindung} other {# Verbindungen}}',
    movesAgain: 'und du bist noch einmal dran',
    help1:
      'Setze einen Stein deiner Farbe auf einen beliebigen freien Punkt. Linien zeigen seine Verbindungen zu benachbarten Steinen beider Farben. Die grünen Punkte am Rand zählen mit.',
    help2:
      'Macht dein Stein drei oder vier Verbindungen, bist du noch einmal dran. Solche Punkte sind eingekreist.',
    help3: 'Ist das Brett voll, gewinnt, wer mehr Steine hat.',
    again:
      '{who, select, you {Du bist} other {{name} ist}} noch einmal dran: {count, plural, one {# Nachbar} other {# Nachbarn}}.',
    movesAgainShort: 'noch einmal dran',
    chainOf: '{count, plural, one {# Stein} other {# Steine}}',
    newsPlaced:
      '{who, select, you {Du setzt} other {{name} setzt}} einen Stein auf {cell}: {count, plural, =0 {keine Nachbarn} one {# Nachbar} other {# Nachbarn}}.',
    swapped: 'Farben getauscht',
    swapHint: 'Wenn du tauschst, gehört der Stein auf dem Brett dir, und {name} spielt Blau.',
    newsSwap:
      '{who, select, you {Du tauschst die Farben und spielst} other {{name} tauscht die Farben und spielt}} jetzt {colour, select, Red {Rot} other {Blau}}. {otherWho, select, you {Du spielst} other {{other} spielt}} {colour, select, Red {Blau} other {Rot}}.',
    captionSwap: '{who, select, you {Du hast} other {{name} hat}} die Farben getauscht',
    dragHint: 'Wähle einen Punkt oder zieh den Stein dorthin.',
    waitHint: 'Ein eingekreister Punkt bringt einen weiteren Zug.',
    stones:
      '{count, plural, =0 {Noch keine Steine.} one {# Stein: {list}.} other {# Steine: {list}.}}',
    freePoints: '{count, plural, one {# Punkt ist frei.} other {# Punkte sind frei.}}',
    movesAgainAt: 'Auf {list} bist du noch einmal dran.',
    movesAgainNowhere: 'Auf keinem bist du noch einmal dran.',
    hintPlace:
      'Setz {count, plural, one {einen Stein} other {Steine}} auf {list}{again, select, yes { und zieh noch einmal} other {}}.',
  },
  pl: {
    'seat.0': 'Czerwony, zaczyna',
    'seat.1': 'Niebieski',
    'label.Red': 'Czerwony',
    'label.Blue': 'Niebieski',
    'option.size': 'Liczba punktów wzdłuż boku, bez zielonego brzegu.',
    'option.pie': 'Po pierwszym kamieniu drugi gracz może zamienić kolory.',
    'option.no_centre_first': 'Pierwszego kamienia nie wolno położyć na środku.',
    'ended.most_stones': 'Plansza jest pełna. Czerwone kamienie: {red}, niebieskie: {blue}.',
    place: '{who, select, you {Połóż kamień.} other {{name} kładzie kamień.}}',
    placeOrSwap:
      '{who, select, you {Połóż kamień albo zamień kolory.} other {{name} kładzie kamień albo zamienia kolory.}}',
    decided:
      '{who, select, you {Masz ponad połowę punktów i nie możesz już przegrać.} other {{name} ma ponad połowę punktów i nie może już przegrać.}}',
    swap: 'Zamień kolory',
    board: 'Plansza {size} na {size} punktów',
    free: 'wolny',
    red: 'czerwony kamień',
    blue: 'niebieski kamień',
    makes:
      '{count, plural, =0 {brak połączeń} one {# połączenie} few {# połączenia} many {# połączeń} other {# połączenia}}',
    movesAgain: 'i grasz jeszcze raz',
    help1:
      'Połóż kamień swojego koloru na dowolnym wolnym punkcie. Linie pokazują jego połączenia z sąsiednimi kamieniami obu kolorów. Zielone punkty na brzegu też się liczą.',
    help2:
      'Jeśli twój kamień tworzy trzy lub cztery połączenia, grasz jeszcze raz. Takie punkty są zakreślone.',
    help3: 'Gdy plansza jest pełna, wygrywa ten, kto ma więcej kamieni.',
    again:
      '{who, select, you {Grasz} other {{name} gra}} jeszcze raz: {count, plural, one {# sąsiad} few {# sąsiedzi} many {# sąsiadów} other {# sąsiada}}.',
    movesAgainShort: 'gra jeszcze raz',
    chainOf: '{count, plural, one {# kamień} few {# kamienie} many {# kamieni} other {# kamienia}}',
    newsPlaced:
      '{who, select, you {Kładziesz} other {{name} kładzie}} kamień na {cell}: {count, plural, =0 {bez sąsiadów} one {# sąsiad} few {# sąsiedzi} many {# sąsiadów} other {# sąsiada}}.',
    swapped: 'Kolory zamienione',
    swapHint: 'Jeśli zamienisz, kamień na planszy będzie twój, a {name} zagra niebieskimi.',
    newsSwap:
      '{who, select, you {Zamieniasz kolory i grasz} other {{name} zamienia kolory i gra}} teraz {colour, select, Red {czerwonymi} other {niebieskimi}}. {otherWho, select, you {Ty grasz} other {{other} gra}} {colour, select, Red {niebieskimi} other {czerwonymi}}.',
    captionSwap: '{who, select, you {Zamieniasz kolory} other {{name} zamienia kolory}}',
    dragHint: 'Wybierz punkt albo przeciągnij tam kamień.',
    waitHint: 'Zakreślony punkt daje kolejny ruch.',
    stones:
      '{count, plural, =0 {Nie ma jeszcze kamieni.} one {# kamień: {list}.} few {# kamienie: {list}.} many {# kamieni: {list}.} other {# kamienia: {list}.}}',
    freePoints:
      '{count, plural, one {# wolny punkt.} few {# wolne punkty.} many {# wolnych punktów.} other {# wolnego punktu.}}',
    movesAgainAt: 'Grasz jeszcze raz, jeśli położysz na: {list}.',
    movesAgainNowhere: 'Żaden nie daje kolejnego ruchu.',
    hintPlace:
      'Połóż {count, plural, one {kamień} few {kamienie} many {kamienie} other {kamienie}} na {list}{again, select, yes { i zagraj jeszcze raz} other {}}.',
  },
};
