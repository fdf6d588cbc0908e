// Turns the choices of the set-up page into a request for a new match.
import type {
  Game,
  MatchRequest,
  OptionFacts,
  OptionValue,
  PresetFacts,
  SeatPlan,
  TimeControl,
} from '../api/wire';

export type Mode = 'bot' | 'friend' | 'hotseat' | 'anyone';
export type Options = Record<string, OptionValue>;
export type Spectators = NonNullable<MatchRequest['spectators']>;

export interface SetupChoice {
  mode: Mode;
  level: string;
  /** The player's own seat; null for a random one. */
  seat: number | null;
  options: Options;
  timing: TimeControl;
  /** How many of the other seats are bots, if people play. */
  bots: number;
  /** Who may watch; null for what the mode suggests. */
  spectators?: Spectators | null;
  /** Whether it counts for ratings. */
  isRated?: boolean;
}

/** The time controls that are offered. */
export const TIMES: Record<string, TimeControl> = {
  none: { type: 'unlimited' },
  live5: { type: 'real_time', initial_ms: 300_000, increment_ms: 3_000 },
  live15: { type: 'real_time', initial_ms: 900_000, increment_ms: 10_000 },
  days3: { type: 'correspondence', days_per_turn: 3, bank_days: 5 },
};

/** The options that a match starts with: those that suit people, if people play each other. */
export function standardOptions(game: Game, mode: Mode): Options {
  const standard = Object.fromEntries(
    game.facts.options.map((option) => [option.name, option.default]),
  );
  return mode === 'bot' ? standard : { ...standard, ...game.facts.people_options };
}

/** The preset that these options are; undefined if they are none. */
export function presetOf(game: Game, options: Options): PresetFacts | undefined {
  const { presets, people_options: people } = game.facts;
  const compared = game.facts.options.filter(({ name }) => name !== 'seats' && !(name in people));
  const has = (preset: PresetFacts, { name, default: value }: OptionFacts): boolean =>
    (options[name] ?? value) === (preset.options[name] ?? value);
  return presets.find((preset) => compared.every((option) => has(preset, option)));
}

/** Whether a timer that all players share runs under these options. */
export function hasTimer(game: Game, options: Options): boolean {
  return game.facts.options.some(({ name, default: value }) =>
    game.facts.timer_options[name]?.includes(options[name] ?? value),
  );
}

/** Who may watch, if nobody says so. */
export function defaultSpectators(mode: Mode): Spectators {
  return mode === 'anyone' ? 'all' : 'link';
}

/** The option that sets the number of players; null if it is fixed. */
export function seatOption(game: Game): OptionFacts | null {
  const [low, high] = game.facts.seats;
  if (low === high) return null;
  return game.facts.options.find((option) => option.name === 'seats') ?? null;
}

/** The number of players under these options. */
export function seatCount(game: Game, options: Options): number {
  const option = seatOption(game);
  return option ? Number(options[option.name] ?? option.default) : game.facts.seats[0];
}

/** The levels of bots under these options, from weak to strong. */
export function levelsFor(game: Game, options: Options): string[] {
  return game.levels.filter((level) =>
    Object.entries(game.level_options[level] ?? {}).every(([name, values]) => {
      const standard = game.facts.options.find((option) => option.name === name)?.default;
      return values.includes((options[name] ?? standard) as OptionValue);
    }),
  );
}

/** The level for somebody's first match. */
export function defaultLevel(game: Game): string {
  return game.levels[1] ?? game.levels[0] ?? 'random';
}

/** After this many losses in a row, a weaker level is more fun. */
const LOSSES = 3;

/**
 * The level to play next: the one above after a win, the one below after several losses in a row.
 * `returns` are those against this level, the newest first. Null where the same one is right.
 */
export function nextLevel(levels: string[], level: string, returns: number[]): string | null {
  const at = levels.indexOf(level);
  if (at < 0) return null;
  if ((returns[0] ?? 0) > 0) return levels[at + 1] ?? null;
  const isTooStrong = returns.length >= LOSSES && returns.slice(0, LOSSES).every((one) => one < 0);
  return isTooStrong ? (levels[at - 1] ?? null) : null;
}

/** The options that differ from their defaults. */
export function customOptions(game: Game, options: Options): Options {
  return Object.fromEntries(
    game.facts.options
      .filter(
        (option) => options[option.name] !== undefined && options[option.name] !== option.default,
      )
      .map((option) => [option.name, options[option.name]!]),
  );
}

/** The request for a match. `random`, from 0 to 1, decides a random seat. */
export function matchRequest(
  game: Game,
  choice: SetupChoice,
  random = Math.random(),
): MatchRequest {
  const count = seatCount(game, choice.options);
  const own = Math.min(choice.seat ?? Math.floor(random * count), count - 1);
  const others: SeatPlan = { who: choice.mode === 'friend' ? 'invited' : 'open' };
  const seats = Array.from({ length: count }, (): SeatPlan => ({ ...others }));
  let bots = choice.mode === 'bot' ? count - 1 : Math.min(choice.bots, count - 1);
  for (let seat = count - 1; seat >= 0 && bots > 0; seat--) {
    if (seat === own) continue;
    seats[seat] = { who: 'bot', level: choice.level };
    bots--;
  }
  // Our own seat is reserved, or somebody might take it first in a public match.
  seats[own] = { who: 'invited' };
  const timing = hasTimer(game, choice.options) ? { type: 'unlimited' as const } : choice.timing;
  const spectators = choice.spectators ?? defaultSpectators(choice.mode);
  return {
    game: game.name,
    options: customOptions(game, choice.options),
    seats,
    time_control: timing,
    is_public: choice.mode === 'anyone' || (choice.mode === 'friend' && spectators === 'all'),
    spectators,
    is_rated: choice.isRated ?? false,
    seat: own,
  };
}

/** The request for a standard match against a bot. The first seat moves first in most games. */
export function quickMatchRequest(game: Game): MatchRequest {
  return matchRequest(game, {
    mode: 'bot',
    level: defaultLevel(game),
    seat: 0,
    options: {},
    timing: { type: 'unlimited' },
    bots: 0,
  });
}
