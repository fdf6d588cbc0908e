// Why moves of Flume are refused and how matches end, by the codes of explain.py; English is the server's.
import type { Reasons } from '@watermeet/lib/reasons.svelte';

export const reasons: Reasons = {
  fr: {
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
