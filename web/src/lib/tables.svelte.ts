// The lists of tables that pages show, read anew now and then while somebody looks.
import { games, liveTables, myMatches, openTables, type Game } from './api';
import { device } from './device.svelte';
import { Refusal } from './line.svelte';
import type { MatchListed } from './wire';
import { errorWords } from './words';

const AGAIN_MS = 10_000;

export class TableLists {
  games = $state.raw<Game[]>([]);
  mine = $state.raw<MatchListed[]>([]);
  open = $state.raw<MatchListed[]>([]);
  live = $state.raw<MatchListed[]>([]);
  problem = $state('');

  /** Reads all, and again while the page is looked at; ends with what is returned. */
  keep(): () => void {
    void this.load();
    const timer = setInterval(() => {
      if (!document.hidden) void this.load();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }

  async load(): Promise<void> {
    try {
      this.games = await games();
      const [waiting, playing] = await Promise.all([openTables(), liveTables()]);
      this.open = waiting.matches;
      this.live = playing.matches;
      if (device.token) this.mine = (await myMatches(device.token)).matches;
      this.problem = '';
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unauthorized') device.forget();
      else this.problem = errorWords(error);
    }
  }
}
