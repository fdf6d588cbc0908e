// The review of a match that has ended: what each decision gave away. The server computes it, and
// this asks how far it is.
import { getReview, requestReview } from '../api/endpoints/reviews';
import { identity } from '../people/identity.svelte';
import { t } from '../app/language.svelte';
import type { Player } from '../board/gameModule';
import type { Decision, MatchReview, Reason, Section } from '../api/wire';

const POLL_MS = 700;

export type Serious = 'inaccuracy' | 'mistake' | 'blunder';
export const SERIOUS: Serious[] = ['inaccuracy', 'mistake', 'blunder'];
export const SIGNS: Record<Serious, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

export class Review {
  review = $state.raw<MatchReview | null>(null);
  #match: string;
  #token: () => string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(match: string, token: () => string) {
    this.#match = match;
    this.#token = token;
  }

  readonly isRunning = $derived.by(() =>
    ['waiting', 'running'].includes(this.review?.stage ?? 'none'),
  );
  readonly mistakes = $derived.by(() => (this.review ? mistakesOf(this.review) : []));

  /** Asks whether there is one; throws a Refusal. */
  async load(): Promise<void> {
    this.#take(await getReview(this.#token(), this.#match));
  }

  /** Has the server begin, if nobody has before; throws a Refusal. */
  async open(): Promise<void> {
    if (!this.review) await this.load();
    if (this.review!.stage === 'none') await this.start();
  }

  /** Has the server begin; throws a Refusal. */
  async start(): Promise<void> {
    // A person asks, not a seat: how often one may is counted by person.
    this.#take(await requestReview(await identity.ensureToken(), this.#match));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #take(review: MatchReview): void {
    this.review = review;
    clearTimeout(this.#timer);
    if (this.isRunning && !this.#isClosed) {
      this.#timer = setTimeout(() => {
        this.load().catch(() => this.#take(review)); // The connection may come back.
      }, POLL_MS);
    }
  }
}

/** The decisions that gave something away. */
export function mistakesOf({ decisions }: MatchReview): Decision[] {
  return decisions.filter(({ verdict }) => (SERIOUS as string[]).includes(verdict));
}

const REASONS = {
  missed_win: 'analysis.missedWin',
  missed_chain: 'analysis.missedChain',
  missed_points: 'analysis.missedPoints',
  allows_win: 'analysis.allowsWin',
  allows_chain: 'analysis.allowsChain',
  allows_points: 'analysis.allowsPoints',
} as const;
/** Why a move was a mistake: what was missed, and what another player can do now. */
export const reasonText = (
  { code, seat, moves, count, played }: Reason,
  players: Player[],
  turnWords: (moves: string[]) => string,
): string => t(REASONS[code], { ...players[seat], moves: turnWords(moves), count, played });

/** The mistakes by the parts into which the game divides the match, or all of them. */
export function partsOf(review: MatchReview): { section: Section | null; mistakes: Decision[] }[] {
  const { sections, decisions } = review;
  if (!sections.length) return [{ section: null, mistakes: mistakesOf(review) }];
  return sections.map((section) => ({
    section,
    mistakes: section.better.map((index) => decisions[index]!),
  }));
}

/** A value as a share of the game's range of returns. */
export const shareOf = (value: number, { worst, best }: MatchReview): number =>
  Math.min(1, Math.max(0, (value - worst) / (best - worst)));

/** The chances of a seat at each decision where they are known, by the number of actions before. */
export function chancesOf(review: MatchReview, seat: number): { ply: number; share: number }[] {
  return review.decisions.flatMap(({ number, values }) => {
    const value = values[seat];
    return value === null || value === undefined
      ? []
      : [{ ply: number, share: shareOf(value, review) }];
  });
}
