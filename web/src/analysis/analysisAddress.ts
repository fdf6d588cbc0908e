// What an address of the analysis board opens: a match, a record in the link, or a position.
//   /analysis?match=ID&ply=12
//   /analysis?game=NAME&options=size=5&position=TEXT&moves=c3 b2
//   /analysis#record=LETTERS&at=12
import { getMatch, getRecord } from '../api/endpoints/matches';
import { getReview } from '../api/endpoints/reviews';
import { games } from '../app/gameList';
import { mistakesOf, SIGNS, type Serious } from './review.svelte';
import { identity } from '../people/identity.svelte';
import { parsePlaces, unpack } from '../app/links';
import { Refusal } from '../api/refusal';
import { addLine, annotate, formatRecord, mainFrom, type TreeNode } from './tree';
import type { MatchReview } from '../api/wire';

export interface Opening {
  record: string;
  /** Which node to show, as places among siblings. */
  places: number[] | 'end';
  /** The match that it is, if any. */
  match: string | null;
}

const refuse = (code: string): Refusal => new Refusal({ code, message: code, hint: '' });
const oneLine = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');

/** A record without moves: the beginning of a game, or a position. */
export function headerText(
  game: string,
  version: number,
  options: string,
  position: string,
): string {
  const lines = [`game: ${game}@${version}`];
  if (options.trim()) lines.push(`options: ${oneLine(options)}`);
  if (position.trim()) lines.push(`start: ${oneLine(position)}`);
  return `${lines.join('\n')}\n`;
}

/** What an address opens; null if nothing. Throws a Refusal. */
export async function readOpening(search: string, hash: string): Promise<Opening | null> {
  const packed = new URLSearchParams(hash.slice(1));
  const letters = packed.get('record');
  if (letters !== null) {
    const record = await unpack(letters);
    if (record === null) throw refuse('broken_link');
    return { record, places: parsePlaces(packed.get('at') ?? ''), match: null };
  }
  const words = new URLSearchParams(search);
  const match = words.get('match');
  if (match !== null) return readFinished(match, Number(words.get('ply') ?? 0));
  const name = words.get('game');
  if (name === null) return null;
  const game = (await games()).find((one) => one.name === name);
  if (!game) throw refuse('unknown_game');
  const { options = '', position = '', moves = '' } = Object.fromEntries(words);
  const header = headerText(game.name, game.facts.version, options, position);
  return { record: `${header}\n${oneLine(moves)}\n`, places: 'end', match: null };
}

/** A match that is over: one that is still played isn't analysed here. */
async function readFinished(match: string, ply: number): Promise<Opening> {
  const token = Object.values(identity.seatsOf(match))[0] ?? identity.token;
  const { stage } = await getMatch(token, match);
  if (stage !== 'finished' && stage !== 'aborted') throw refuse('match_running');
  const record = await (await getRecord(token, match)).text();
  const places = Array.from({ length: Math.min(5000, Math.max(0, ply || 0)) }, () => 0);
  return { record, places, match };
}

/** The review of a match, if there is one; null otherwise. */
export async function reviewOf(match: string): Promise<MatchReview | null> {
  const token = Object.values(identity.seatsOf(match))[0] ?? identity.token;
  const review = await getReview(token, match).catch(() => null);
  return review?.stage === 'complete' ? review : null;
}

/** A record with the mistakes that a review found: symbols, and the better lines as variations. */
export function withReview(
  headers: readonly string[],
  start: TreeNode,
  review: MatchReview,
  better: string,
): string {
  let root = start;
  const main = mainFrom(root, []);
  for (const { number, verdict, line, seat } of mistakesOf(review)) {
    root = annotate(root, main.slice(0, number + 1), { symbol: SIGNS[verdict as Serious] });
    const steps = line.map((move) => ({ move, seat, position: '', result: '' }));
    const [more, end] = addLine(root, main.slice(0, number), steps);
    root = line.length ? annotate(more, end.slice(0, number + 1), { comment: better }) : more;
  }
  return formatRecord(headers, root);
}
