// The server's clock, as far as it can be known from here.

/** How many measurements are kept: the shortest of them is the one to trust. */
const KEPT = 8;

/** Now, on this machine, in milliseconds since 1970, with a fraction. */
export function localNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Estimates how far the server's clock is ahead of ours, from pings and their answers. */
export class ServerClock {
  #seen: { trip: number; ahead: number }[] = [];

  /** Takes in an answer: when we asked, when it came, and what the server's clock said between. */
  add(sent: number, received: number, now: number): void {
    const trip = Math.max(0, received - sent);
    this.#seen = [...this.#seen, { trip, ahead: now - (sent + received) / 2 }].slice(-KEPT);
  }

  /** Milliseconds there and back; null before the first answer. */
  get trip(): number | null {
    return this.#best?.trip ?? null;
  }

  /** How far the server is ahead; 0 before the first answer. */
  get ahead(): number {
    return this.#best?.ahead ?? 0;
  }

  /** What the server's clock says when ours says `local`. */
  at(local: number = localNow()): number {
    return local + this.ahead;
  }

  get #best(): { trip: number; ahead: number } | undefined {
    return this.#seen.reduce<{ trip: number; ahead: number } | undefined>(
      (best, one) => (best && best.trip <= one.trip ? best : one),
      undefined,
    );
  }
}
