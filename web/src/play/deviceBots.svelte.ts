// Bots that think in this browser, in a match that one person plays. The server lends us their seats
// and says what to search; it checks every move, and plays itself when none comes in time.
import { choose, randomSeed } from '../engine/choose';
import { sharedEngine } from '../engine/shared';
import { Refusal } from '../api/refusal';
import type { BotTask, Lent } from '../api/wire';

/** How long after a refusal that may pass the offer is made again, */
export const AGAIN_MS = 20_000;
/** unless this browser has been too slow or has failed that often. */
const MAX_FAILURES = 3;
/** Refusals that last as long as the match does. */
const FINAL = new Set(['cannot_lend', 'forbidden', 'wrong_stage']);

/** What the server hears from here. */
export interface Link {
  offer: (isOn: boolean) => void;
  play: (seat: number, action: number, seq: number) => Promise<unknown>;
}

export class DeviceBots {
  /** The bots' seats that this browser thinks for. */
  seats = $state.raw<readonly number[]>([]);
  #link: Link;
  #load: typeof sharedEngine;
  #module = '';
  #isWanted = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link, load = sharedEngine) {
    this.#link = link;
    this.#load = load;
  }

  /** Offers to think for the bots, or takes that back. */
  want(isWanted: boolean): void {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    clearTimeout(this.#timer);
    if (isWanted) void this.#offer();
    else this.#link.offer(false);
  }

  close(): void {
    this.#isWanted = false;
    clearTimeout(this.#timer);
  }

  async #offer(): Promise<void> {
    const engine = await this.#load().catch(() => null);
    if (engine && this.#isWanted) this.#link.offer(true);
  }

  /** The server has lent seats, or taken them back. */
  lend({ seats, module, why }: Lent): void {
    this.seats = seats;
    this.#module = module;
    clearTimeout(this.#timer);
    if (seats.length) void this.#load().then((engine) => engine?.load(module));
    else if (this.#isWanted) this.#offerAgain(why);
  }

  #offerAgain(why: string): void {
    if (why === 'late') this.#failures += 1;
    if (FINAL.has(why) || this.#failures >= MAX_FAILURES) return;
    this.#timer = setTimeout(() => void this.#offer(), AGAIN_MS);
  }

  /** Thinks for a bot, and plays what it finds; without success, the server's bot plays at once. */
  async think({ seat, seq, task }: BotTask): Promise<void> {
    try {
      const engine = await this.#load();
      if (!engine) throw new Error('This browser has no engine.');
      const found = await engine.think(this.#module, task, { seed: randomSeed() });
      await this.#link.play(seat, found.win ?? choose(found.candidates, task.temperature), seq);
    } catch (error) {
      if (error instanceof Refusal) return; // It was too late, and the server has said so.
      this.#failures += 1;
      this.#link.offer(false);
    }
  }
}

/** Whether this browser can think without getting slow: old phones leave it to the server. */
export function isCapable(): boolean {
  const { deviceMemory = 1 } = navigator as Navigator & { deviceMemory?: number };
  return deviceMemory >= 1 && typeof WebAssembly === 'object' && typeof Worker === 'function';
}
