// An estimate of the server's clock.

/** How many measurements to keep: the one with the shortest round trip is the best. */
const KEPT = 8;

interface Measurement {
  latency: number;
  offset: number;
}

/** The local time in milliseconds since 1970, with a fraction. */
export function localNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Estimates how far the server's clock is ahead of ours from pings and pongs. */
export class ServerClock {
  #measurements: Measurement[] = [];

  /** Adds a pong: when the ping was sent, when the pong arrived, and the server's time between. */
  add(sent: number, received: number, now: number): void {
    const latency = Math.max(0, received - sent);
    const measurement = { latency, offset: now - (sent + received) / 2 };
    this.#measurements = [...this.#measurements, measurement].slice(-KEPT);
  }

  /** The shortest round trip in milliseconds; null before the first pong. */
  get latency(): number | null {
    return this.#best?.latency ?? null;
  }

  /** How far the server is ahead; 0 before the first pong. */
  get offset(): number {
    return this.#best?.offset ?? 0;
  }

  /** The server's time at a local time. */
  at(local: number = localNow()): number {
    return local + this.offset;
  }

  get #best(): Measurement | undefined {
    return this.#measurements.reduce<Measurement | undefined>(
      (best, one) => (best && best.latency <= one.latency ? best : one),
      undefined,
    );
  }
}
