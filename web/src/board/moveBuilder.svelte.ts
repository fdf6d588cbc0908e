// Builds moves part by part. It splits the legal actions into parts, such as a tile and a cell, so
// clicks, taps and keys all build the same moves. It knows no rules: the next parts
// are those of the legal actions that the server sent.
import type { LegalMove } from '../api/wire';

/** Splits a move into parts, which may be chosen in any order. */
export type Split = (move: string) => string[];

/** How moves are split by default: at `@` and `:`. */
export function defaultSplit(move: string): string[] {
  const parts = move.split(/[@:]/).filter(Boolean);
  return parts.length ? parts : [move];
}

export class MoveBuilder {
  /** The legal actions. */
  legal = $state.raw<LegalMove[]>([]);
  /** The chosen parts, in the order of choice. */
  chosen = $state.raw<string[]>([]);
  /** Whether a move waits until its last part is chosen once more, or a button confirms it. */
  waits: (move: string) => boolean = () => false;
  #split: Split;
  #cache = new Map<string, string[]>();

  /** The actions that contain all chosen parts. */
  readonly candidates = $derived(this.legal.filter((one) => this.#has(one.move, this.chosen)));
  /** The action that has all its parts, and waits to be confirmed. */
  readonly complete = $derived(
    this.chosen.length === 0
      ? null
      : (this.candidates.find((one) => this.parts(one.move).length === this.chosen.length) ?? null),
  );
  /** The chosen parts that stay when another is chosen: not the last of an action that waits. */
  readonly #kept = $derived(this.complete ? this.chosen.slice(0, -1) : this.chosen);
  /** The parts that can be chosen next, each with the actions that have it. */
  readonly next = $derived.by(() => {
    const found = new Map<string, LegalMove[]>();
    for (const one of this.legal.filter(({ move }) => this.#has(move, this.#kept))) {
      for (const part of without(this.parts(one.move), this.#kept)) {
        const list = found.get(part);
        if (!list) found.set(part, [one]);
        else if (list.at(-1) !== one) list.push(one);
      }
    }
    return found;
  });
  /** The only action left, even if some of its parts were not chosen. */
  readonly only = $derived(
    this.chosen.length && this.candidates.length === 1 ? (this.candidates[0] ?? null) : null,
  );

  constructor(split: Split = defaultSplit) {
    this.#split = split;
  }

  /** Sets a new position. Chosen parts stay chosen as far as they are still legal. */
  offer(legal: LegalMove[], split?: Split): void {
    if (split && split !== this.#split) {
      this.#split = split;
      this.#cache.clear();
    }
    this.legal = legal;
    while (this.chosen.length && !legal.some((one) => this.#has(one.move, this.chosen)))
      this.back();
  }

  /** The parts of a move. */
  parts(move: string): string[] {
    let found = this.#cache.get(move);
    if (!found) {
      found = this.#split(move);
      this.#cache.set(move, found);
    }
    return found;
  }

  /** Whether a part can be chosen, if need be by dropping chosen ones. */
  can(part: string): boolean {
    return this.next.has(part) || this.legal.some((one) => this.parts(one.move).includes(part));
  }

  /**
   * Chooses a part, and returns the action to play if that completes one which needn't wait, or was
   * waiting for it. Choosing another part again drops it. A part that doesn't fit the chosen ones
   * replaces them, the latest first.
   */
  choose(part: string): LegalMove | null {
    const waiting = this.complete;
    if (waiting && part === this.chosen.at(-1)) return this.#done(waiting);
    let kept = this.#kept;
    if (!this.next.has(part) && kept.includes(part)) {
      this.chosen = kept.filter((one) => one !== part);
      return null;
    }
    const isLegal = (): boolean => this.legal.some((one) => this.#has(one.move, [...kept, part]));
    while (kept.length && !isLegal()) kept = kept.slice(0, -1);
    if (!isLegal()) return null;
    this.chosen = [...kept, part];
    const { complete } = this;
    return complete && !this.waits(complete.move) ? this.#done(complete) : null;
  }

  /** Chooses all parts of an action, which waits then. */
  take(action: number): LegalMove | null {
    const found = this.legal.find((one) => one.action === action) ?? null;
    if (found) this.chosen = this.parts(found.move);
    return found;
  }

  /** Whether a move is legal, or the beginning of one. */
  allows(move: string): boolean {
    return this.legal.some((one) => one.move.startsWith(move));
  }

  /** Drops the last part. */
  back(): void {
    this.chosen = this.chosen.slice(0, -1);
  }

  clear(): void {
    this.chosen = [];
  }

  #done(action: LegalMove): LegalMove {
    this.clear();
    return action;
  }

  #has(move: string, wanted: string[]): boolean {
    const parts = this.parts(move);
    if (wanted.length > parts.length) return false;
    return without(parts, wanted).length === parts.length - wanted.length;
  }
}

/** A list without the items of another, each removed once. */
function without(parts: string[], taken: string[]): string[] {
  const left = [...parts];
  for (const part of taken) {
    const place = left.indexOf(part);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}
