// Hints for somebody who plays alone or against bots: the best moves of the position, one at a time.
// A hint lasts while its position does, and through the turn as long as it is followed.
import type { MatchSession } from './matchSession.svelte';
import { think } from '../engine/thoughts';
import type { CandidateInfo, StepInfo, Thoughts } from '../api/wire';

/** How many moves are worth showing. */
const SHOWN = 3;
/** A move that was looked at this much less than the best isn't one to show. */
const LEAST_SHARE = 0.02;

export class Hints {
  isThinking = $state(false);
  #session: MatchSession;
  #found = $state.raw<{ thoughts: Thoughts; at: number } | null>(null);
  #shown = $state(0);
  #isOpen = $state(false);

  constructor(session: MatchSession) {
    this.#session = session;
  }

  /** Whether this match has hints: it isn't rated, and nobody plays it but one person, who is here. */
  readonly isOffered = $derived.by(() => {
    const { match, isHotseat } = this.#session;
    const people = match.seats.filter(({ who }) => who === 'person').length;
    return match.seat !== null && !match.isOver && !match.isRated && !isHotseat && people === 1;
  });
  readonly canAsk = $derived.by(
    () => this.isOffered && this.#session.match.isMyTurn && !this.isThinking,
  );
  /** The last move of the position that the page shows. */
  readonly #position = $derived.by(() => this.#session.match.moves.at(-1)?.seq ?? 0);
  /** The moves to choose from in this position. */
  readonly candidates = $derived.by((): CandidateInfo[] => {
    const all = this.#found?.thoughts.candidates ?? [];
    return all.slice(0, SHOWN).filter(({ visits }) => visits >= LEAST_SHARE * all[0]!.visits);
  });
  readonly candidate = $derived(this.candidates[this.#shown] ?? null);
  /** What is left to play of the hint that is shown; empty if none is. */
  readonly line = $derived.by((): StepInfo[] => {
    const { match } = this.#session;
    const line = this.candidate?.line;
    if (!this.#isOpen || !this.#found || !line || !match.isMyTurn) return [];
    const { at } = this.#found;
    const since = match.moves.filter(({ seq }) => seq > at);
    const isFollowed = since.every(
      ({ seat, action }, place) => seat === match.seat && action === line[place]?.action,
    );
    const isThere = (match.moves.at(-1 - since.length)?.seq ?? 0) === at;
    return isThere && isFollowed ? line.slice(since.length) : [];
  });
  /** Whether the position is the one that was thought about, not one later in the turn. */
  readonly isFresh = $derived.by(() => this.#position === this.#found?.at);
  /** Whether another move comes after the one that is shown. */
  readonly hasMore = $derived.by(() => this.isFresh && this.candidates.length > this.#shown + 1);

  get thoughts(): Thoughts | null {
    return this.#found?.thoughts ?? null;
  }

  /** Shows the best move, then the next best, then none; thinks first, where that is new. */
  async ask(): Promise<void> {
    if (!this.canAsk) return;
    if (this.line.length) {
      if (this.hasMore) this.#shown += 1;
      else this.close();
      return;
    }
    if (!this.isFresh) await this.#think();
    this.#shown = 0;
    this.#isOpen = true;
  }

  async #think(): Promise<void> {
    const { id, match, seats } = this.#session;
    const at = this.#position;
    this.isThinking = true;
    this.#isOpen = false;
    try {
      this.#found = {
        thoughts: await think(this.#session.game, id, seats[match.seat ?? -1] ?? ''),
        at,
      };
    } finally {
      this.isThinking = false;
    }
  }

  close(): void {
    this.#isOpen = false;
  }
}
