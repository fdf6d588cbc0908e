// Earlier positions of a match: which one is shown, and what it looked like.
import { getPosition } from '../api/endpoints/matches';
import type { View } from '../api/wire';
import { router } from '../app/router.svelte';
import type { MatchSession } from './matchSession.svelte';

export class Replay {
  /** The position shown, as a number of actions; null for the current one. It goes with its view. */
  ply = $state<number | null>(null);
  /** Its view; null until it is loaded. */
  view = $state.raw<View | null>(null);
  /** The position before it, if it is known. */
  before = $state.raw<View | null>(null);
  /** The position that was asked for last, and may still be read; null for the current one. */
  target = $state<number | null>(null);
  #session: MatchSession;
  /** Views by the number of actions, and the entry of the last: an undone action makes others. */
  #known = new Map<string, View>();

  constructor(session: MatchSession) {
    this.#session = session;
  }

  /** Shows a position; throws a Refusal if the server doesn't send it. */
  async show(to: number | null): Promise<void> {
    const wanted = to === null || to >= this.#session.match.moves.length ? null : to;
    this.target = wanted;
    const { path } = router;
    const found = wanted === null ? null : await this.#find(wanted);
    if (this.target !== wanted) return; // Somebody has gone on.
    this.ply = wanted;
    this.view = found;
    this.before = wanted === null ? null : (this.#known.get(this.#key(wanted - 1)) ?? null);
    if (router.path === path) router.setParam('ply', wanted); // Or it would be another page's.
  }

  async #find(ply: number): Promise<View> {
    const key = this.#key(ply);
    try {
      const found = this.#known.get(key) ?? (await this.#read(ply));
      this.#known.set(key, found);
      return found;
    } catch (error) {
      if (this.target === ply) this.target = this.ply;
      throw error;
    }
  }

  async #read(ply: number): Promise<View> {
    const { id, match, seats } = this.#session;
    const token = match.seat === null ? '' : (seats[match.seat] ?? '');
    return (await getPosition(token, id, ply)).view;
  }

  #key(ply: number): string {
    // After the end nothing is hidden any more.
    const { match } = this.#session;
    return `${ply} ${match.moves[ply - 1]?.seq} ${match.isOver} ${match.seat}`;
  }
}
