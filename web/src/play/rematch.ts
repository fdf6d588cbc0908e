// From a match to the next: its rematch, with the seats of this browser, or one against another level.
import type { Game } from '../api/wire';
import { levelsFor, matchRequest, nextLevel, type Options } from '../lobby/newMatch';
import { own, ownSeats } from '../lobby/matchLists.svelte';
import { identity } from '../people/identity.svelte';
import { Refusal } from '../api/refusal';
import { router } from '../app/router.svelte';
import type { MatchState } from '../board/match.svelte';
import type { SeatInfo } from '../api/wire';

/** The rematch is agreed before it is made: it may take a moment. */
const TRIES = 20;
const RETRY_MS = 250;

/** The level of all bots in a match of one person; null in other matches. */
function onlyLevel(seats: readonly SeatInfo[]): string | null {
  const others = seats.filter(({ who }) => who !== 'person');
  const [first] = others;
  const isSame = others.every(({ who, level }) => who === 'bot' && level === first?.level);
  return first && others.length === seats.length - 1 && isSame ? first.level : null;
}

/** The level to play after a match of ours that has ended; null where the same one is right. */
export function levelAfter(match: MatchState, id: string, game: Game): string | null {
  const { seat, seats, document } = match;
  const level = onlyLevel(seats);
  const returns = document?.outcome?.returns;
  // Bots that play with us make no match harder.
  const isTogether = game.facts.teams.length === 1;
  if (seat === null || level === null || !returns || match.isRated || isTogether) return null;
  const others = own.list
    .filter((one) => one.game === game.name && one.match !== id && one.headline.returns)
    .filter(({ headline }) => onlyLevel(headline.seats) === level)
    .sort((a, b) => b.changed_at - a.changed_at)
    .map((one) => one.headline.returns![ownSeats(one)[0] ?? 0] ?? 0);
  const levels = levelsFor(game, document.info.options).filter((one) => one !== 'random');
  return nextLevel(levels, level, [returns[seat] ?? 0, ...others]);
}

/** Plays the same again against another level, with the seats rotated as in a rematch. */
export async function playLevel(match: MatchState, game: Game, level: string): Promise<void> {
  const { options, time_control: timing } = match.document!.info;
  const request = matchRequest(game, {
    mode: 'bot',
    level,
    seat: ((match.seat ?? 0) + 1) % match.seats.length,
    options: options as Options,
    timing,
    bots: 0,
  });
  const made = await identity.createMatch(request);
  router.go(`/match/${made.match}`);
}

/** Takes our seats in the rematch of a match, and goes there. */
export async function enterRematch(match: string, rematch: string, seats: number): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      await identity.enterRematch(match, rematch, seats);
      break;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'not_found') break; // Somebody else's seat: watch it.
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  router.go(`/match/${rematch}`);
}
