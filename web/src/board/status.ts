// How a match stands, in words: the headline, how it ended, what was just played.
import type { GameModule, PlayedMove, Player, Translate } from './gameModule';
import { language, t } from '../app/language.svelte';
import type { MatchState } from './match.svelte';
import { reasonSentence, type NamesByLabel } from './reasons.svelte';
import type { MatchDocument, Move, OutcomeInfo, SeatInfo, View } from '../api/wire';

/** How somebody left a match before its end. */
export type LeftBy = Exclude<SeatInfo['left'], ''>;
const LEFT: readonly LeftBy[] = ['resigned', 'timeout', 'claimed'];

/** How a match ended, from where somebody sits. */
export interface Ending {
  /** What the page looks like. */
  tone: 'won' | 'lost' | 'draw' | 'neutral';
  /** Who won. */
  headline: string;
  /** How; it doesn't say again who won. */
  sentence: string;
}

export interface EndingFacts {
  outcome: OutcomeInfo;
  /** Our seat; null for spectators, and at a screen that players share. */
  seat: number | null;
  names: string[];
  /** The team of each seat, where there are teams. */
  teams?: unknown[];
  /** How the game's rules say that it ended, without naming the winner. */
  sentence: string;
}

/** How a player left before the end; null if they didn't. */
export function leftOf(seat: SeatInfo | undefined): LeftBy | null {
  return seat?.left || null;
}

/**
 * How the rules say that a match ended. The headline names the winner, so a game's text
 * `ended.REASON`, which doesn't, is preferred to the whole sentence.
 */
export function outcomeSentence(game: string, outcome: OutcomeInfo, names: NamesByLabel): string {
  if (outcome.by !== 'rules') return '';
  const { reason, facts, sentence } = outcome;
  return (
    language.ofGame(game, `ended.${reason}`, facts) ??
    reasonSentence(game, reason, facts, sentence, names)
  );
}

/** Names as a list: `Ana, Ben and Cleo`. */
export function listNames(names: string[]): string {
  return new Intl.ListFormat(language.code, { type: 'conjunction' }).format(names);
}

/** The headline and the sentence of a finished match. */
export function ending(facts: EndingFacts): Ending {
  const { outcome, seat } = facts;
  const { winners, returns, by } = outcome;
  const sentence = by === 'rules' ? facts.sentence : leftSentence(facts) || facts.sentence;
  const isLevel = new Set(returns).size === 1;
  if (!winners.length && isLevel && (returns[0] ?? 0) >= 0)
    return { tone: 'draw', headline: t('match.draw'), sentence };
  const isTogether = isLevel && returns.length > 1;
  if (seat === null) return { tone: 'neutral', headline: outsideHeadline(facts), sentence };
  if (winners.includes(seat)) return { tone: 'won', headline: wonHeadline(facts), sentence };
  const own = outcome.left[seat];
  if (own && by !== 'rules' && outcome.ended_by === seat)
    return { tone: 'lost', headline: t(`ended.you.${own}`), sentence: lostSentence(facts) };
  const headline = isTogether
    ? t('match.lostTogether')
    : winners.length
      ? t('match.lostTo', { count: winners.length, names: winnerNames(facts) })
      : t('match.lost');
  return { tone: 'lost', headline, sentence };
}

/** How a match without a result ended. */
export function abortedSentence(reason: MatchDocument['abort_reason']): string {
  return reason ? t(`aborted.${reason}`) : t('match.abortedText');
}

function winnerNames({ outcome, names }: EndingFacts): string {
  return listNames(outcome.winners.map((winner) => names[winner] ?? ''));
}

function outsideHeadline(facts: EndingFacts): string {
  const { winners, returns } = facts.outcome;
  if (!winners.length) return t('match.allLost');
  if (winners.length === returns.length && winners.length > 1) return t('match.allWon');
  return t('match.winners', { count: winners.length, names: winnerNames(facts) });
}

function wonHeadline({ outcome: { winners, returns }, teams }: EndingFacts): string {
  if (winners.length === 1) return t('match.won');
  if (winners.length === returns.length) return t('match.wonTogether');
  const winning = new Set(winners.map((winner) => teams?.[winner]));
  const isTeam = winning.size === 1 && ![...winning].includes(undefined);
  return t(isTeam ? 'match.wonAsTeam' : 'match.wonShared');
}

/** Who won, for those who ended the match themselves. */
function lostSentence(facts: EndingFacts): string {
  const { winners } = facts.outcome;
  if (!winners.length) return t('match.allLost');
  return t('match.winnersPlain', { count: winners.length, names: winnerNames(facts) });
}

/** Who resigned, ran out of time or was away: `Ben resigned. Cleo ran out of time.` */
function leftSentence({ outcome, seat, names }: EndingFacts): string {
  const { left } = outcome;
  return LEFT.flatMap((how) => {
    const seats = [...left.keys()].filter((number) => left[number] === how);
    const others = seats.filter((number) => number !== seat).map((number) => names[number] ?? '');
    const found = others.length
      ? [t(`ended.${how}`, { count: others.length, names: listNames(others) })]
      : [];
    return seats.length > others.length ? [t(`ended.you.${how}`), ...found] : found;
  }).join(' ');
}

/** The headline of the match page until the match is over. */
export function statusHeadline(
  match: MatchState,
  names: string[],
  isHotseat: boolean,
  /** The earlier position that is shown, among how many; null for the current one. */
  replayed: { at: number; of: number } | null,
): string {
  if (!match.document) return '';
  if (replayed) return t('replay.at', { ply: replayed.at, plies: replayed.of });
  const { stage, toMove } = match;
  if (stage === 'open') return t('stage.open');
  if (stage === 'aborted') return t('stage.aborted');
  if (stage === 'paused') return t('stage.paused');
  if (toMove === null) return t('match.chance');
  if (match.isMyTurn && !isHotseat) return t('match.yourTurn');
  const name = names[toMove] ?? '';
  return t(match.seats[toMove]?.who === 'bot' ? 'match.thinking' : 'match.turnOf', { name });
}

/** Names with the seat's label where two players have the same. */
export function distinctNames(names: string[], labels: string[]): string[] {
  return names.map((name, seat) =>
    names.filter((other) => other === name).length > 1
      ? `${name} (${labels[seat] ?? seat + 1})`
      : name,
  );
}

/** A move as a screen reader announces it; null if there is nothing to say. */
export function announcement(
  move: Move,
  module: GameModule | null,
  gameText: Translate,
  names: string[],
): string | null {
  if (move.move === null) return null;
  const text =
    module?.announceMove?.(move.move, gameText) ??
    module?.formatMove?.(move.move, gameText) ??
    move.move;
  if (!text) return null;
  return move.seat === null ? text : `${names[move.seat] ?? ''}: ${text}`;
}

/** What the news needs to know. */
export interface NewsFacts {
  module: GameModule | null;
  gameText: Translate;
  players: Player[];
  /** The players' names, with `You` for our own. */
  names: string[];
}

/** One sentence about a move, in the game's words if it has some; null if there is nothing to say. */
export function newsOf(
  move: Move,
  view: View,
  before: View | null,
  { module, gameText, players, names }: NewsFacts,
): string | null {
  const { seat } = move;
  if (move.move !== null && module?.news) {
    const played: PlayedMove = { seat, move: move.move, before };
    const found = module.news(played, view, gameText, players);
    if (found !== null) return found || null;
  }
  return announcement(move, module, gameText, names);
}

/** How many moves back the line above the board looks for something to say. */
const LOOK_BACK = 8;

/** The news of the last move that has some. */
export function lastNews(
  moves: Move[],
  view: View,
  before: View | null,
  facts: NewsFacts,
): string | null {
  for (let back = 1; back <= Math.min(LOOK_BACK, moves.length); back++) {
    const found = newsOf(moves.at(-back)!, view, back === 1 ? before : null, facts);
    if (found) return found;
  }
  return null;
}
