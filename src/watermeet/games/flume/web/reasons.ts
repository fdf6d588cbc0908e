// Why moves of Flume are refused, what they do in examples, and how matches end, by the codes of explain.py; English is the server's.
import type { Reasons } from '@watermeet/lib/reasons.svelte';

export const reasons: Reasons = {
  fr: {
    ends_turn: 'Liaisons de {move} : {connections}. Le tour est fini.',
    moves_again: 'Liaisons de {move} : {connections}. {colour} rejoue.',
    centre_barred: '{move} est le centre : la première pierre ne peut pas y aller.',
    occupied: '{move} porte déjà une pierre ({colour}).',
    pie_off: 'Cette partie se joue sans échange des couleurs.',
    swapped_already: 'Les couleurs ont déjà été échangées.',
    swap_too_late: 'On n’échange qu’en réponse à la toute première pierre.',
    swap_too_early: 'On n’échange qu’en réponse à la toute première pierre.',
    most_stones: 'Le plateau est plein, {winner} gagne : Rouge {red}, Bleu {blue}.',
    'word.Red': 'Rouge',
    'word.Blue': 'Bleu',
  },
  de: {
    ends_turn: 'Verbindungen von {move}: {connections}. Der Zug ist zu Ende.',
    moves_again: 'Verbindungen von {move}: {connections}. {colour} ist noch einmal dran.',
    centre_barred: '{move} ist die Mitte: Dort darf der erste Stein nicht liegen.',
    occupied: 'Auf {move} liegt schon ein Stein ({colour}).',
    pie_off: 'In dieser Partie werden die Farben nicht getauscht.',
    swapped_already: 'Die Farben wurden schon getauscht.',
    swap_too_late: 'Getauscht wird nur als Antwort auf den allerersten Stein.',
    swap_too_early: 'Getauscht wird nur als Antwort auf den allerersten Stein.',
    most_stones: 'Das Brett ist voll, {winner} gewinnt: Rot {red}, Blau {blue}.',
    'word.Red': 'Rot',
    'word.Blue': 'Blau',
  },
  pl: {
    ends_turn: 'Połączenia {move}: {connections}. Tura się kończy.',
    moves_again: 'Połączenia {move}: {connections}. {colour} gra jeszcze raz.',
    centre_barred: '{move} to środek: pierwszego kamienia nie wolno tam położyć.',
    occupied: 'Na {move} leży już kamień ({colour}).',
    pie_off: 'W tej partii nie zamienia się kolorów.',
    swapped_already: 'Kolory już zamieniono.',
    swap_too_late: 'Zamiana jest tylko odpowiedzią na pierwszy kamień.',
    swap_too_early: 'Zamiana jest tylko odpowiedzią na pierwszy kamień.',
    most_stones: 'Plansza jest pełna, wygrywa {winner}: czerwone {red}, niebieskie {blue}.',
    'word.Red': 'Czerwony',
    'word.Blue': 'Niebieski',
  },
};
