// REST: documents of the server. Errors are thrown as Refusal, with the server's own code.
import { newId, Refusal, type Command } from './line.svelte';
import type {
  AccountMade, CommandDone, EarlierPosition, GameList, Joining, MatchDocument, MatchList, MatchMade, NewMatch, Readiness, SeatTaken,
} from './wire';

/** An option that a game declares. */
export interface OptionFacts {
  name: string;
  kind: 'number' | 'switch' | 'choice';
  default: boolean | number | string;
  sentence: string;
  low?: number;
  high?: number;
  step?: number;
  offered?: number[];
  words?: string[];
}

/** What a game declares of itself. */
export interface Facts {
  name: string;
  version: number;
  title: string;
  summary: string;
  credit: string;
  seats: [number, number];
  chance: boolean;
  hidden: boolean;
  clock: number | null;
  options: OptionFacts[];
}

export interface Game {
  name: string;
  levels: string[];
  facts: Facts;
}

async function ask(path: string, token: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (init.body) headers.set('Content-Type', 'application/json');
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, { ...init, headers });
  } catch {
    throw new Refusal({ code: 'unreachable', message: 'the server does not answer', hint: '' });
  }
  if (answer.ok) return answer;
  let told: { code: string; message: string; hint: string };
  try {
    told = (await answer.json()) as typeof told;
  } catch {
    told = { code: 'unreachable', message: `${answer.status}`, hint: '' };
  }
  throw new Refusal(told);
}

async function read<T>(path: string, token = ''): Promise<T> {
  return (await (await ask(path, token)).json()) as T;
}

async function post<T>(path: string, token: string, body: unknown): Promise<T> {
  return (await (await ask(path, token, { method: 'POST', body: JSON.stringify(body) })).json()) as T;
}

export const newGuest = (): Promise<AccountMade> => post('/guests', '', {});
export const newMatch = (token: string, wish: NewMatch): Promise<MatchMade> => post('/matches', token, wish);
export const sitDown = (match: string, seat: number, token: string, joining: Joining): Promise<SeatTaken> =>
  post(`/matches/${match}/seats/${seat}`, token, joining);
/** Does something for a seat without a line of its own. */
export const command = (match: string, token: string, wanted: Command): Promise<CommandDone> =>
  post(`/matches/${match}/commands`, token, { id: newId(), command: wanted });
export const readMatch = (match: string, token: string): Promise<MatchDocument> => read(`/matches/${match}`, token);
export const readPosition = (match: string, ply: number, token: string): Promise<EarlierPosition> =>
  read(`/matches/${match}/positions/${ply}`, token);
export const readReadiness = (game: string): Promise<Readiness> => read(`/games/${game}/readiness`);
export const openTables = (): Promise<MatchList> => read('/matches');
export const liveTables = (): Promise<MatchList> => read('/matches?stage=playing');
export const myMatches = (token: string): Promise<MatchList> => read('/me/matches', token);
/** The rules of a game in a language, or in English, if it has no others; and which it is. */
export async function readRules(game: string, language: string): Promise<{ text: string; language: string }> {
  const answer = await ask(`/games/${encodeURIComponent(game)}/rules?language=${language}`, '');
  return { text: await answer.text(), language: answer.headers.get('Content-Language') ?? 'en' };
}
export const readText = async (path: string, token = ''): Promise<string> => (await ask(path, token)).text();

let known: Promise<Game[]> | null = null;

/** All games; asked for once. */
export function games(): Promise<Game[]> {
  known ??= read<GameList>('/games').then(
    (list) => list.games as unknown as Game[],
    (error: unknown) => {
      known = null;
      throw error;
    },
  );
  return known;
}
