// Translations of explanations, by their codes in explain.py. Without one the page shows the
// server's English.
import type { Reasons } from '@watermeet/board/reasons.svelte';

export const reasons: Reasons = {
  fr: {
    ends_turn:
      '{move} fait {connections, plural, =0 {zéro liaison} one {# liaison} other {# liaisons}} : le tour est fini.',
    moves_again:
      '{move} fait {connections, plural, one {# liaison} other {# liaisons}} : {colour} rejoue.',
    last_stone:
      '{move} fait {connections, plural, one {# liaison} other {# liaisons}} et remplit le plateau.',
    centre_barred: '{move} est le centre : la première pierre ne peut pas y être posée.',
    occupied: 'Il y a déjà une pierre en {move} ({colour}).',
    swap: 'Celui qui échange prend Rouge et sa pierre ; l’adversaire continue avec Bleu.',
    pie_off: 'Cette partie se joue sans échange des couleurs.',
    swapped_already: 'Les couleurs ont déjà été échangées.',
    swap_too_late: 'On ne peut échanger les couleurs qu’en réponse à la première pierre.',
    swap_too_early: 'On ne peut échanger les couleurs qu’en réponse à la première pierre.',
    most_stones: 'Le plateau est plein. {winner} gagne : Rouge {red}, Bleu {blue}.',
    'word.Red': 'Rouge',
    'word.Blue': 'Bleu',
  },
  de: {
    ends_turn:
      '{move} macht {connections, plural, =0 {keine Verbindung} one {# Verbindung} other {# Verbindungen}}: Der Zug ist zu Ende.',
    moves_again:
      '{move} macht {connections, plural, one {# Verbindung} other {# Verbindungen}}: {colour} ist noch einmal dran.',
    last_stone:
      '{move} macht {connections, plural, one {# Verbindung} other {# Verbindungen}} und füllt das Brett.',
    centre_barred: '{move} ist die Mitte: Dorthin darf der erste Stein nicht.',
    occupied: 'Auf {move} liegt schon ein Stein ({colour}).',
    swap: 'Wer tauscht, übernimmt Rot samt dem Stein; der Gegner spielt mit Blau weiter.',
    pie_off: 'In dieser Partie werden die Farben nicht getauscht.',
    swapped_already: 'Die Farben sind schon getauscht.',
    swap_too_late: 'Tauschen geht nur als Antwort auf den ersten Stein.',
    swap_too_early: 'Tauschen geht nur als Antwort auf den ersten Stein.',
    most_stones: 'Das Brett ist voll. {winner} gewinnt: Rot {red}, Blau {blue}.',
    'word.Red': 'Rot',
    'word.Blue': 'Blau',
  },
  pl: {
    ends_turn:
      '{move}: {connections, plural, =0 {brak połączeń} one {# połączenie} few {# połączenia} many {# połączeń} other {# połączenia}}. To kończy turę.',
    moves_again:
      '{move}: {connections, plural, one {# połączenie} few {# połączenia} many {# połączeń} other {# połączenia}}. {colour} gra jeszcze raz.',
    last_stone:
      '{move}: {connections, plural, one {# połączenie} few {# połączenia} many {# połączeń} other {# połączenia}}. Plansza jest pełna.',
    centre_barred: '{move} to środek: pierwszego kamienia nie wolno tam położyć.',
    occupied: 'Na {move} leży już kamień ({colour}).',
    swap: 'Kto zamienia, przejmuje czerwone wraz z kamieniem; przeciwnik gra dalej niebieskimi.',
    pie_off: 'W tej partii nie zamienia się kolorów.',
    swapped_already: 'Kolory są już zamienione.',
    swap_too_late: 'Kolory można zamienić tylko w odpowiedzi na pierwszy kamień.',
    swap_too_early: 'Kolory można zamienić tylko w odpowiedzi na pierwszy kamień.',
    most_stones: 'Plansza jest pełna. Wygrywa {winner}: czerwone {red}, niebieskie {blue}.',
    'word.Red': 'Czerwony',
    'word.Blue': 'Niebieski',
  },
};
