// The lists of the lobby, refreshed while somebody looks at them.
import { games, liveMatches, myMatches, openMatches, type Game } from './api';
import { identity } from './identity.svelte';
import { errorText } from './labels';
import { Refusal } from './refusal';
import type { MatchSummary } from './wire';

const REFRESH_MS = 10_000;

export class LobbyLists {
  games = $state.raw<Game[]>([]);
  mine = $state.raw<MatchSummary[]>([]);
  open = $state.raw<MatchSummary[]>([]);
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
      const [open, live] = await Promise.all([openMatches(), liveMatches()]);
      this.open = open.matches;
      this.live = live.matches;
      if (identity.token) this.mine = (await myMatches(identity.token)).matches;
      this.problem = '';
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unauthorized') identity.forget();
      else this.problem = errorText(error);
    }
  }
}
