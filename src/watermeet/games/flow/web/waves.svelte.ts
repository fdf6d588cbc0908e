// The giant wave on the page: it is announced, and stays until it has been seen.
import { waveOf, type Cell } from './view';

export interface ShownWave {
  /** What the dice show, and the row and the column that they hit; null for a die that wasn't rolled. */
  white: number | null;
  black: number | null;
  row: number | null;
  column: number | null;
  /** The tiles that were washed away. */
  gone: Cell[];
  /** Grows with every wave. */
  number: number;
}

/** How long a wave is shown at least, unless the player dismisses it. */
export const LEAST_MS = 4000;
/** How long its name stands across the board. */
export const LOUD_MS = 2800;

export class Waves {
  shown = $state.raw<ShownWave | null>(null);
  /** Whether its name still stands across the board. */
  isLoud = $state(false);
  #before: Cell[] = [];
  #heard: unknown = null;
  #white: number | null = null;
  #since = 0;
  #number = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];

  /** Takes a new position, and the moves that led to it. */
  update(cells: Cell[], due: string, moves: { move: string | null; seat: number | null }[]): void {
    const isNews = moves !== this.#heard; // The same position is sent again when the seat changes.
    this.#heard = moves;
    const rolled = isNews ? waveOf(moves) : null;
    const left = new Set(cells.filter((one) => one.tile || one.scenario).map((one) => one.name));
    const gone = this.#before.filter((was) => (was.tile || was.scenario) && !left.has(was.name));
    this.#before = cells;
    if (rolled && due === 'black') {
      this.#white = rolled.white; // The other die comes with the next position.
    } else if (rolled) {
      const first =
        rolled.white === null && this.#white ? waveOf([{ move: `white:${this.#white}` }]) : null;
      this.#white = null;
      this.#show({
        ...rolled,
        white: rolled.white ?? first?.white ?? null,
        row: rolled.row ?? first?.row ?? null,
        gone,
        number: ++this.#number,
      });
    } else if (isNews && moves.some((move) => move.seat !== null)) this.#retire();
  }

  dismiss(): void {
    this.stop();
    this.shown = null;
    this.isLoud = false;
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #show(wave: ShownWave): void {
    this.stop();
    this.shown = wave;
    this.isLoud = true;
    this.#since = Date.now();
    this.#timers.push(setTimeout(() => (this.isLoud = false), LOUD_MS));
  }

  /** Somebody plays on: the wave goes, but not before it could be seen. */
  #retire(): void {
    if (!this.shown) return;
    const left = LEAST_MS - (Date.now() - this.#since);
    if (left > 0) this.#timers.push(setTimeout(() => this.dismiss(), left));
    else this.dismiss();
  }
}
