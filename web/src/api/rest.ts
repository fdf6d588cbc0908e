// The REST API. Errors are thrown as Refusal.
import type { Command } from './connection.svelte';
import { newId, Refusal } from './refusal';
import type {
  AccountResponse,
  Ack,
  AnalysisRequest,
  AnalysisResponse,
  AnalysisTask,
  AddressListResponse,
  AttemptResponse,
  EngineResponse,
  FoundRequest,
  PastPosition,
  GameListResponse,
  JoinRequest,
  LessonListResponse,
  LinesRequest,
  LinesResponse,
  MatchDocument,
  MatchListResponse,
  MatchResponse,
  MatchReview,
  OpeningResponse,
  MatchRequest,
  JoinResponse,
  PositionRequest,
  PuzzleAttempt,
  PuzzleOverview,
  PuzzleRequest,
  PuzzleResponse,
  ReadinessResponse,
  RecordTree,
  SearchRequest,
  StatusResponse,
  Thoughts,
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

/** What a game declares about itself. */
export interface Facts {
  name: string;
  version: number;
  title: string;
  summary: string;
  credit: string;
  seats: [number, number];
  /** The seats that win together. */
  teams: number[][];
  chance: boolean;
  hidden: boolean;
  clock: number | null;
  options: OptionFacts[];
  /** Named sets of options, easiest first; what one leaves out keeps its default. */
  presets: Preset[];
  /** What options start as if people play each other, where that isn't their default. */
  people_options: Record<string, OptionValue>;
  /** By option: the values with which a shared timer runs, so that there is no other clock. */
  timer_options: Record<string, OptionValue[]>;
}

export type OptionValue = boolean | number | string;

export interface Preset {
  /** Its text is `preset.NAME` of the game, and `preset.NAME.hint` says more. */
  name: string;
  options: Record<string, OptionValue>;
}

export interface Game {
  name: string;
  levels: string[];
  /** By level: the values of options that it is for; most levels are for all. */
  level_options: Record<string, Record<string, OptionValue[]>>;
  facts: Facts;
  /** How many steps its lessons have; 0 without lessons. */
  lessons: number;
  /** Whether its openings can be explored. */
  openings: boolean;
  /** How many puzzles it has. */
  puzzles: number;
}

/** As long as the longest request may take, which is a hint when many others want one. */
const TIMEOUT_MS = 20_000;

export async function request(
  path: string,
  token: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (init.body) headers.set('Content-Type', 'application/json');
  let response: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(`/api${path}`, { signal, ...init, headers });
  } catch {
    throw new Refusal({ code: 'unreachable', message: 'the server is unreachable', hint: '' });
  }
  if (response.ok) return response;
  let body: { code: string; message: string; hint: string };
  try {
    body = (await response.json()) as typeof body;
  } catch {
    body = { code: 'unreachable', message: `${response.status}`, hint: '' };
  }
  throw new Refusal(body);
}

/** Reads a document. */
export async function read<T>(path: string, token = ''): Promise<T> {
  return (await (await request(path, token)).json()) as T;
}

/** Sends a request of any method. */
export async function send<T>(
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<T> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  return (await (await request(path, token, init)).json()) as T;
}

export async function post<T>(path: string, token: string, body: unknown): Promise<T> {
  return (await (
    await request(path, token, { method: 'POST', body: JSON.stringify(body) })
  ).json()) as T;
}

export async function remove<T>(path: string, token: string): Promise<T> {
  return (await (await request(path, token, { method: 'DELETE' })).json()) as T;
}

export const createGuest = (): Promise<AccountResponse> => post('/guests', '', {});
export const createMatch = (token: string, wanted: MatchRequest): Promise<MatchResponse> =>
  post('/matches', token, wanted);
export const takeSeat = (
  match: string,
  seat: number,
  token: string,
  joining: JoinRequest,
): Promise<JoinResponse> => post(`/matches/${match}/seats/${seat}`, token, joining);
/** Sends a command for a seat that the connection doesn't follow. */
export const sendCommand = (match: string, token: string, wanted: Command): Promise<Ack> =>
  post(`/matches/${match}/commands`, token, { id: newId(), command: wanted });
/** The best moves for the seat of the token. */
export const readHint = (match: string, token: string): Promise<Thoughts> =>
  post(`/matches/${match}/hints`, token, undefined);
const withEngine = new Set<string>();
/** Whether this browser can get an engine of a game. There may be one later. */
export async function hasEngine(game: string): Promise<boolean> {
  if (!withEngine.has(game)) {
    const { engine } = await read<ReadinessResponse>(
      `/games/${encodeURIComponent(game)}/readiness`,
    );
    if (engine) withEngine.add(game);
  }
  return withEngine.has(game);
}
/** What this browser has to search for a hint; refused as `not_found` while there is no engine. */
export const readEngineTask = (match: string, token: string): Promise<EngineResponse> =>
  post(`/matches/${match}/engine`, token, undefined);
/** What this browser has found, in the game's words. */
export const explainFound = (
  match: string,
  token: string,
  found: FoundRequest,
): Promise<Thoughts> => post(`/matches/${match}/thoughts`, token, found);
/** How far the review of a match is. */
export const readReview = (match: string, token: string): Promise<MatchReview> =>
  read(`/matches/${match}/review`, token);
/** Has a match that has ended reviewed. */
export const requestReview = (match: string, token: string): Promise<MatchReview> =>
  post(`/matches/${match}/review`, token, undefined);
export const readMatch = (match: string, token: string): Promise<MatchDocument> =>
  read(`/matches/${match}`, token);
export const readPosition = (match: string, ply: number, token: string): Promise<PastPosition> =>
  read(`/matches/${match}/positions/${ply}`, token);
/** The picture of a match as the holder of the token sees it. */
export const readPicture = (match: string, token: string): Promise<string> =>
  readText(`/matches/${match}/picture?part=board`, token);
/** The lessons of a game, with their texts. */
export const readLessons = (game: string, language: string): Promise<LessonListResponse> =>
  read(`/games/${encodeURIComponent(game)}/lessons?language=${language}`);
/** A step of a lesson after all that the learner has played in it. */
export const tryStep = (
  game: string,
  step: string,
  moves: (number | string)[],
  language: string,
): Promise<AttemptResponse> =>
  post(`/games/${encodeURIComponent(game)}/lessons/${step}`, '', { moves, language });
/** A position after some moves, as whoever is to move sees it. */
export const analyse = (wanted: AnalysisRequest): Promise<AnalysisResponse> =>
  post('/analysis', '', wanted);
/** A record as a tree. */
export const openRecord = (record: string): Promise<RecordTree> =>
  post('/analysis/records', '', { record });
/** What this browser has to search in a position; `not_found` while there is no engine. */
export const readAnalysisTask = (wanted: SearchRequest): Promise<AnalysisTask> =>
  post('/analysis/engine', '', wanted);
/** Lines that this browser has found, in the notation of the game. */
export const describeLines = (wanted: LinesRequest): Promise<LinesResponse> =>
  post('/analysis/lines', '', wanted);
/** What the server finds in a position. */
export const thinkAbout = (wanted: PositionRequest): Promise<Thoughts> =>
  post('/analysis/thoughts', '', wanted);
/** What was played in a position of a game, reached by moves from the start. */
export const readOpenings = (
  game: string,
  moves: string[],
  options: string,
  source: OpeningResponse['source'],
): Promise<OpeningResponse> => {
  const query = new URLSearchParams({ moves: moves.join(' '), options, source });
  return read(`/games/${encodeURIComponent(game)}/openings?${query}`);
};
/** The next puzzle for somebody: near their rating, and not one of those to skip. */
export const nextPuzzle = (
  game: string,
  token: string,
  words: Record<string, string>,
): Promise<PuzzleResponse> =>
  read(`/puzzles/${encodeURIComponent(game)}?${new URLSearchParams(words)}`, token);
/** A puzzle by its name; `daily` is today's. */
export const readPuzzle = (game: string, name: string, code: string): Promise<PuzzleResponse> =>
  read(`/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(name)}?language=${code}`);
export const readPuzzles = (game: string, token: string, code: string): Promise<PuzzleOverview> =>
  read(`/puzzles/${encodeURIComponent(game)}/overview?language=${code}`, token);
/** A puzzle after all that was played in it. */
export const tryPuzzle = (
  game: string,
  name: string,
  token: string,
  tried: PuzzleRequest,
): Promise<PuzzleAttempt> =>
  post(`/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(name)}/attempt`, token, tried);
export const readAddresses = (): Promise<AddressListResponse> => read('/addresses');
export const openMatches = (): Promise<MatchListResponse> => read('/matches');
export const liveMatches = (): Promise<MatchListResponse> => read('/matches?stage=playing');
export const myMatches = (token: string): Promise<MatchListResponse> => read('/me/matches', token);
/** The rules of a game in a language, or in English where there is no translation. */
export async function readRules(
  game: string,
  language: string,
): Promise<{ text: string; language: string }> {
  const response = await request(
    `/games/${encodeURIComponent(game)}/rules?language=${language}`,
    '',
  );
  return {
    text: await response.text(),
    language: response.headers.get('Content-Language') ?? 'en',
  };
}
export const readText = async (path: string, token = ''): Promise<string> =>
  (await request(path, token)).text();

let known: Promise<Game[]> | null = null;

/** All games; loaded once. */
export function games(): Promise<Game[]> {
  known ??= read<GameListResponse>('/games').then(
    (list) => list.games as unknown as Game[],
    (error: unknown) => {
      known = null;
      throw error;
    },
  );
  return known;
}

/** How the server is. */
export function readStatus(): Promise<StatusResponse> {
  return read('/status');
}
