// What to play, as chosen for a seek or a challenge: game, players, time control, rated or casual.
import type { Game, TimeControl } from '../api/wire';
import { live } from './liveLobby.svelte';
import { customOptions, hasTimer, seatOption, standardOptions, TIMES } from './newMatch';
import type { Options } from './newMatch';
import { readJson, writeJson } from '../app/settings.svelte';

const KEY = 'watermeet.terms';

interface Saved {
  game: string;
  time: string;
  isRated: boolean;
  withBot: boolean;
}

export interface WantedMatch {
  game: string;
  options: Options;
  time_control: TimeControl;
  is_rated: boolean;
}

export class Terms {
  name = $state('');
  time = $state('live5');
  isRated = $state(false);
  withBot = $state(true);
  /** How many play; 0 for the game's own number. */
  players = $state(0);

  constructor() {
    const saved = readJson<Partial<Saved>>(KEY, {});
    this.name = saved.game ?? '';
    if (saved.time && saved.time in TIMES) this.time = saved.time;
    this.isRated = saved.isRated ?? false;
    this.withBot = saved.withBot ?? true;
  }

  /** The chosen game, or the first. */
  game(list: Game[]): Game | undefined {
    return list.find((game) => game.name === this.name) ?? list[0];
  }

  options(game: Game): Options {
    const seats = seatOption(game);
    const players = seats && seats.offered?.includes(this.players) ? this.players : 0;
    return {
      ...standardOptions(game, 'anyone'),
      ...(seats && players ? { [seats.name]: players } : {}),
    };
  }

  /** What to ask the server for. */
  wanted(game: Game): WantedMatch {
    const options = this.options(game);
    const control = hasTimer(game, options) ? TIMES['none']! : TIMES[this.time]!;
    return {
      game: game.name,
      options: customOptions(game, options),
      time_control: control,
      is_rated: this.isRated && live.isRegistered,
    };
  }

  /** Remembers the choice for the next time. */
  save(game: Game): void {
    const { time, isRated, withBot } = this;
    writeJson(KEY, { game: game.name, time, isRated, withBot } satisfies Saved);
  }
}
