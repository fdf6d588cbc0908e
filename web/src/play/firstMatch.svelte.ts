// Which games somebody has seen the goal of, kept in this browser.
import { own } from '../lobby/matchLists.svelte';
import { readJson, writeJson } from '../app/settings.svelte';

const KEY = 'watermeet.introduced';

class FirstMatch {
  #games = $state.raw<readonly string[]>(readJson(KEY, []));

  /** Whether a match is the first one of its game, whose goal was never shown here. */
  isFirst(game: string, match: string): boolean {
    if (!own.isLoaded || this.#games.includes(game)) return false;
    return !own.list.some((one) => one.game === game && one.match !== match);
  }

  /** Notes that somebody has seen the goal of a game. */
  introduced(game: string): void {
    this.#games = [...this.#games.filter((one) => one !== game), game];
    writeJson(KEY, this.#games);
  }
}

export const firstMatch = new FirstMatch();
