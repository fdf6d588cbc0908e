// The sounds of a match page: what was played, how it ended, and that time is running out.
import { leftMs } from '../board/match.svelte';
import type { MatchSession } from './matchSession.svelte';
import { play } from '../ui/sound';
import type { Ending } from '../board/status';
import type { Caption } from '../board/turns';
import type { ClockInfo, Move } from '../api/wire';

const LOW_MS = 20_000;
const LOW_SHARED_MS = 10_000;

export class MatchSounds {
  #session: MatchSession;
  #captionOf: Caption;
  #wasOver: boolean | null = null;
  #wasLow = true; // A match that is opened late isn't news.

  constructor(session: MatchSession, captionOf: Caption) {
    this.#session = session;
    this.#captionOf = captionOf;
  }

  /** New moves are shown. Those with a caption are more than a move, such as a wave. */
  played(moves: Move[]): void {
    const isBig = moves.some(({ move, seat }) => move && this.#captionOf(move, seat));
    if (isBig) play('capture');
    else if (moves.some(({ seat }) => seat !== null)) play('move');
  }

  /** The match is over or not; the first time says only how the page found it. */
  ended(isOver: boolean, tone: Ending['tone'] | null): void {
    if (this.#session.match.document === null || (isOver && tone === null)) return;
    if (isOver && this.#wasOver === false) play(tone === 'lost' ? 'loss' : 'win');
    this.#wasOver = isOver;
  }

  /** A clock has moved on. */
  ticked(clocks: ClockInfo | undefined, now: number, sharedMs: number | null): void {
    const { seat } = this.#session.match;
    if (!clocks) return;
    const own = seat !== null && clocks.running === seat ? leftMs(clocks, seat, now) : null;
    if (own === null && sharedMs === null) return;
    const isLow = (own ?? Infinity) < LOW_MS || (sharedMs ?? Infinity) < LOW_SHARED_MS;
    if (isLow && !this.#wasLow) play('low');
    this.#wasLow = isLow;
  }
}
