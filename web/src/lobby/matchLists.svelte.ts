// One's own matches, and the lists of the lobby, refreshed while somebody looks at them.
import { listMatches } from '../api/endpoints/matches';
import { listMyMatches } from '../api/endpoints/people';
import type { Game, MatchSummary } from '../api/wire';
import { games } from '../app/gameList';
import { gameCard } from '../board/gameModule';
import { identity } from '../people/identity.svelte';
import { errorText } from '../app/labels';
import { live } from './liveLobby.svelte';
import { Refusal } from '../api/refusal';

const REFRESH_MS = 10_000;
/** Somebody who waits for an opponent's move wants to know soon. */
const REFRESH_RUNNING_MS = 4_000;

/** Whether a match has ended. */
export function isOver({ stage }: MatchSummary): boolean {
  return stage === 'finished' || stage === 'aborted';
}

/** The seats of this browser in a match. */
export function ownSeats(match: MatchSummary): number[] {
  const held = Object.keys(identity.seatsOf(match.match)).map(Number);
  return held.length || match.seat === null ? held : [match.seat]; // Taken on another device.
}

/** Whether a match waits for us. Who shares one screen is never waited for from afar. */
export function isMyTurn(match: MatchSummary): boolean {
  const seats = ownSeats(match);
  const { to_move: mover } = match.headline;
  return match.stage === 'playing' && mover !== null && seats.includes(mover) && seats.length === 1;
}

/** Those that wait for us first, by their deadlines; then those that run, then those that are over; newest first. */
export function inOrder(matches: MatchSummary[]): MatchSummary[] {
  const rank = (match: MatchSummary): number => (isMyTurn(match) ? 0 : isOver(match) ? 2 : 1);
  const due = (match: MatchSummary): number =>
    isMyTurn(match) ? (match.headline.flag_at ?? Number.MAX_VALUE) : 0;
  return [...matches].sort(
    (a, b) => rank(a) - rank(b) || due(a) - due(b) || b.changed_at - a.changed_at,
  );
}

/** The games, those last played first, then those that most people know. */
export function familiarFirst(list: Game[], matches: MatchSummary[]): Game[] {
  const played = matches.map((match) => match.game);
  const place = ({ name }: Game): number => {
    const index = played.indexOf(name);
    return index >= 0 ? index : played.length + (gameCard(name)?.order ?? list.length);
  };
  return [...list].sort((a, b) => place(a) - place(b));
}

/** One's own matches; one list for the header and all pages. */
class OwnMatches {
  list = $state.raw<MatchSummary[]>([]);
  /** Whether the list has been read, or there is none. */
  isLoaded = $state(!identity.token);
  readonly ordered = $derived(inOrder(this.list));
  readonly waiting = $derived(this.ordered.filter(isMyTurn));
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Reads the list now and again while the page is visible; returns how to stop. */
  poll(): () => void {
    const again = async (): Promise<void> => {
      clearTimeout(this.#timer);
      if (!document.hidden) await this.load().catch(() => {});
      clearTimeout(this.#timer);
      const isRunning = this.list.some((match) => !isOver(match));
      this.#timer = setTimeout(() => void again(), isRunning ? REFRESH_RUNNING_MS : REFRESH_MS);
    };
    const wake = (): void => void (document.hidden || again());
    document.addEventListener('visibilitychange', wake);
    void again();
    return () => {
      clearTimeout(this.#timer);
      document.removeEventListener('visibilitychange', wake);
    };
  }

  async load(): Promise<void> {
    try {
      if (!identity.token) this.list = [];
      else {
        const { matches } = await listMyMatches(identity.token);
        if (JSON.stringify(matches) !== JSON.stringify(this.list)) this.list = matches;
      }
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
      identity.forget();
      this.list = [];
    } finally {
      this.isLoaded = true;
    }
  }
}

export const own = new OwnMatches();

const isOthers = (match: MatchSummary): boolean => !ownSeats(match).length;
const isOpen = ({ headline }: MatchSummary): boolean =>
  headline.seats.some((seat) => seat.who === 'open');

export class LobbyLists {
  games = $state.raw<Game[]>([]);
  #open = $state.raw<MatchSummary[]>([]);
  /** Open matches: as they are now, as long as the connection says so. */
  readonly open = $derived(
    (live.open ?? this.#open).filter((match) => isOthers(match) && isOpen(match)),
  );
  live = $state.raw<MatchSummary[]>([]);
  problem = $state('');

  /** Loads the lists now and every ten seconds while the page is visible; returns how to stop. */
  poll(): () => void {
    void this.load();
    const timer = setInterval(() => {
      if (!document.hidden) void this.load();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }

  async load(): Promise<void> {
    try {
      this.games = await games();
      const [open, live] = await Promise.all([
        listMatches(),
        listMatches({ stage: 'playing' }),
        own.load(),
      ]);
      this.#open = open.matches;
      this.live = live.matches.filter(isOthers);
      this.problem = '';
    } catch (error) {
      this.problem = errorText(error);
    }
  }
}
