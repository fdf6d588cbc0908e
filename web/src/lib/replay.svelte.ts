// Earlier positions of a match: which one is shown, and what it looked like.
import { readPosition } from './api';
import type { View } from './match.svelte';
import { router } from './router.svelte';
import type { Session } from './session.svelte';

export class Replay {
  /** The position shown, as a number of actions; null for the current one. */
  ply = $state<number | null>(null);
  /** Its view; null until it is loaded. */
  view = $state.raw<View | null>(null);
  /** The position before it, if it is known. */
  before = $state.raw<View | null>(null);
  #session: Session;
  /** Views by the number of actions, and the entry of the last: an undone action makes others. */
  #known = new Map<string, View>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Shows a position; throws a Refusal if the server doesn't send it. */
  async show(to: number | null): Promise<void> {
    const { match } = this.#session;
    if (to === null || to >= match.moves.length) {
      this.ply = this.view = this.before = null;
      router.setParam('ply', null);
      return;
    }
    this.ply = to;
    router.setParam('ply', to);
    const key = this.#key(to);
    const found = this.#known.get(key) ?? (await this.#read(to));
    this.#known.set(key, found);
    if (this.ply !== to) return;
    this.view = found;
    this.before = this.#known.get(this.#key(to - 1)) ?? null;
  }

  async #read(ply: number): Promise<View> {
    const { id, match, seats } = this.#session;
    const token = match.seat === null ? '' : (seats[match.seat] ?? '');
    return (await readPosition(id, ply, token)).view as unknown as View;
  }

  #key(ply: number): string {
    // After the end nothing is hidden any more.
    const { match } = this.#session;
    return `${ply} ${match.moves[ply - 1]?.seq} ${match.isOver} ${match.seat}`;
  }
}
