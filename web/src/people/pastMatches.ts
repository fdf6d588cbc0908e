// Somebody's finished matches: what to look for among them, and the favourites.
import { addFavourite, listFavourites, removeFavourite } from '../api/endpoints/profiles';
import type { listPastMatches } from '../api/endpoints/profiles';
import type { FavouritesResponse, MatchSummary } from '../api/wire';
import { identity } from './identity.svelte';

type Query = NonNullable<Parameters<typeof listPastMatches>[2]>;

/** What to look for in somebody's past; what is empty doesn't matter. */
export interface Filter {
  game: string;
  result: '' | NonNullable<Query['result']>;
  opponent: string;
  /** Dates, as a date field has them. */
  from: string;
  to: string;
}
export const DAY_MS = 86_400_000;

/** The query of a filter: whole days, in the viewer's time zone. */
export function queryOf(filter: Filter, before: string | null): Query {
  const { game, result, opponent, from, to } = filter;
  return {
    game: game || null,
    result: result || null,
    opponent: opponent.trim() || null,
    since: from ? new Date(`${from}T00:00`).getTime() : null,
    until: to ? new Date(`${to}T00:00`).getTime() + DAY_MS : null,
    before,
  };
}

/** All favourites, the last one first, page by page. */
export async function readFavourites(): Promise<MatchSummary[]> {
  const found: MatchSummary[] = [];
  let before: string | null = null;
  do {
    const page: FavouritesResponse = await listFavourites(identity.token, { before });
    found.push(...page.matches);
    before = page.next;
  } while (before !== null);
  return found;
}

export async function keep(match: string, isKept: boolean): Promise<void> {
  await (isKept ? addFavourite : removeFavourite)(await identity.ensureToken(), match);
}
