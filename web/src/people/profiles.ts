// The REST API of profiles and leaderboards, which only their pages need.
import { read, request } from '../api/rest';
import { identity } from './identity.svelte';
import type {
  FavouritesResponse,
  LeaderboardResponse,
  MatchSummary,
  PastMatchesResponse,
  ProfileResponse,
  RatingChangesResponse,
  RatingHistoryResponse,
} from '../api/wire';

/** What to look for in somebody's past; what is empty doesn't matter. */
export interface Filter {
  game: string;
  result: string;
  opponent: string;
  /** Dates, as a date field has them. */
  from: string;
  to: string;
}
export const DAY_MS = 86_400_000;

/** The query of a filter: whole days, in the viewer's time zone. */
export function queryOf(filter: Filter, before: string | null): string {
  const query = new URLSearchParams();
  const { game, result, opponent, from, to } = filter;
  for (const [name, value] of Object.entries({ game, result, opponent: opponent.trim() }))
    if (value) query.set(name, value);
  if (from) query.set('since', String(new Date(`${from}T00:00`).getTime()));
  if (to) query.set('until', String(new Date(`${to}T00:00`).getTime() + DAY_MS));
  if (before) query.set('before', before);
  return query.toString();
}

const path = (name: string): string => `/users/${encodeURIComponent(name)}`;

export const readProfile = (name: string): Promise<ProfileResponse> =>
  read(path(name), identity.token);
export const readPast = (
  name: string,
  filter: Filter,
  before: string | null,
): Promise<PastMatchesResponse> =>
  read(`${path(name)}/matches?${queryOf(filter, before)}`, identity.token);
export const readHistory = (
  name: string,
  game: string,
  kind: string,
): Promise<RatingHistoryResponse> => read(`${path(name)}/ratings/${game}?kind=${kind}`);
export const readChanges = (match: string, token: string): Promise<RatingChangesResponse> =>
  read(`/matches/${match}/ratings`, token);
export const readLeaders = (game: string, kind: string): Promise<LeaderboardResponse> =>
  read(`/games/${game}/leaderboard${kind ? `?kind=${kind}` : ''}`);
/** All favourites, the last one first, page by page. */
export async function readFavourites(): Promise<MatchSummary[]> {
  const found: MatchSummary[] = [];
  let next: string | null = '';
  while (next !== null) {
    const query: string = next && `?before=${next}`;
    const page: FavouritesResponse = await read(`/me/favourites${query}`, identity.token);
    found.push(...page.matches);
    next = page.next;
  }
  return found;
}
export async function keep(match: string, isKept: boolean): Promise<void> {
  const method = isKept ? 'PUT' : 'DELETE';
  await request(`/me/favourites/${match}`, await identity.ensureToken(), { method });
}
