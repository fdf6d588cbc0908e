// What a table is laid with: from choices of people to the wish that the server is sent.
import type { Game, OptionFacts } from './api';
import type { NewMatch, SeatWish, TimingWish } from './wire';

export type Mode = 'bot' | 'friend' | 'hotseat' | 'anyone';
export type Options = Record<string, boolean | number | string>;

export interface Choice {
  mode: Mode;
  level: string;
  /** The own seat; null: by chance. */
  seat: number | null;
  options: Options;
  timing: TimingWish;
  /** How many seats a bot takes where people play. */
  bots: number;
}

/** The option by which a game is told how many play; null if that is fixed. */
export function seatOption(game: Game): OptionFacts | null {
  const [low, high] = game.facts.seats;
  if (low === high) return null;
  return game.facts.options.find((option) => option.name === 'seats') ?? null;
}

/** How many seats a table has. */
export function seatCount(game: Game, options: Options): number {
  const option = seatOption(game);
  return option ? Number(options[option.name] ?? option.default) : game.facts.seats[0];
}

/** The level that suits who comes for the first time. */
export function usualLevel(game: Game): string {
  return game.levels[1] ?? game.levels[0] ?? 'random';
}

/** Only what differs from what is usual. */
export function changedOptions(game: Game, options: Options): Options {
  return Object.fromEntries(
    game.facts.options
      .filter((option) => options[option.name] !== undefined && options[option.name] !== option.default)
      .map((option) => [option.name, options[option.name]!]),
  );
}

/** The wish for a table. `random` is a number from 0 to 1, for who sits by chance. */
export function wishOf(game: Game, choice: Choice, random = Math.random()): NewMatch {
  const count = seatCount(game, choice.options);
  const own = Math.min(choice.seat ?? Math.floor(random * count), count - 1);
  const others: SeatWish = { who: choice.mode === 'friend' ? 'invited' : 'open' };
  const bots = choice.mode === 'bot' ? count - 1 : Math.min(choice.bots, count - 1);
  const seats = Array.from({ length: count }, (): SeatWish => ({ ...others }));
  let left = bots;
  for (let seat = count - 1; seat >= 0 && left > 0; seat--) {
    if (seat === own) continue;
    seats[seat] = { who: 'bot', level: choice.level };
    left--;
  }
  // One's own seat is kept for oneself: else somebody might be quicker at a table that all see.
  seats[own] = { who: 'invited' };
  return {
    game: game.name,
    options: changedOptions(game, choice.options),
    seats,
    timing: game.facts.clock === null ? choice.timing : { kind: 'none' },
    is_public: choice.mode === 'anyone',
    sit: own,
  };
}

/** A table against a bot, with all as usual; one's own is the first seat, which begins in most games. */
export function quickWish(game: Game): NewMatch {
  const choice: Choice = {
    mode: 'bot', level: usualLevel(game), seat: 0, options: {}, timing: { kind: 'none' }, bots: 0,
  };
  return wishOf(game, choice);
}
