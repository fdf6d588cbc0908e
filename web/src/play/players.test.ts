import { expect, test } from 'vitest';
import type { MatchSession } from './matchSession.svelte';
import { Players } from './players.svelte';

const seats = [
  { who: 'person', name: 'Guest' },
  { who: 'person', name: 'Guest' },
];
const view = { seats: [{ label: 'Red' }, { label: 'Blue' }] };
const playersOf = (seat: number | null, isHotseat = false): Players =>
  new Players({ game: 'g', isHotseat, match: { seat, seats, view } } as unknown as MatchSession);

test('nobody reads of themselves as a guest', () => {
  const players = playersOf(1);
  expect(players.orYou).toEqual(['Guest', 'You']);
  expect(players.cards).toEqual(['Guest', 'You']);
  // Of an earlier move nobody is asked for: the seat's own name stands for them.
  expect(players.named.map(({ name }) => name)).toEqual(['Guest', 'Blue']);
});

test('others are told apart', () => {
  expect(playersOf(null).orYou).toEqual(['Guest (Red)', 'Guest (Blue)']);
  expect(playersOf(0, true).cards).toEqual(['Guest', 'Guest']);
});
