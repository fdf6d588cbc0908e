// The move builder. It takes the legal actions apart into parts, such as a tile of the hand and a
// cell, so that a click, two taps, keys and typed notation all build the same moves. It knows no
// rules: what can be chosen next is what occurs in the actions that were sent.
import type { Legal } from './match.svelte';

/** Takes the text of a move apart; a game's board says how. Parts may be chosen in any order. */
export type Split = (move: string) => string[];

/** How moves are split if no board says it: `Rx@2,-1` is `Rx` and `2,-1`, `trade:Rx` two as well. */
export function plainSplit(move: string): string[] {
  const parts = move.split(/[@:]/).filter(Boolean);
  return parts.length ? parts : [move];
}

export class MoveBuilder {
  /** What can be played. */
  legal = $state.raw<Legal[]>([]);
  /** The parts that were chosen, in the order of choosing. */
  chosen = $state.raw<string[]>([]);
  #split: Split;
  #cache = new Map<string, string[]>();

  /** The actions that have all chosen parts. */
  readonly candidates = $derived(this.legal.filter((one) => this.#has(one.move, this.chosen)));
  /** The parts that can be chosen next, each with the actions that have it. */
  readonly next = $derived.by(() => {
    const found = new Map<string, Legal[]>();
    for (const one of this.candidates) {
      for (const part of without(this.parts(one.move), this.chosen)) {
        const list = found.get(part);
        if (!list) found.set(part, [one]);
        else if (list.at(-1) !== one) list.push(one);
      }
    }
    return found;
  });
  /** The action, once nothing is left to choose. */
  readonly complete = $derived(
    this.chosen.length === 0
      ? null
      : (this.candidates.find((one) => this.parts(one.move).length === this.chosen.length) ?? null),
  );

  /** The action, if what was chosen leaves no other, though parts of it were not chosen. */
  readonly only = $derived(
    this.chosen.length && this.candidates.length === 1 ? (this.candidates[0] ?? null) : null,
  );

  constructor(split: Split = plainSplit) {
    this.#split = split;
  }

  /** A new position: what was chosen stays chosen as far as it can still be played. */
  offer(legal: Legal[], split?: Split): void {
    if (split && split !== this.#split) {
      this.#split = split;
      this.#cache.clear();
    }
    this.legal = legal;
    while (this.chosen.length && !legal.some((one) => this.#has(one.move, this.chosen))) this.back();
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

  /** Whether a part can be chosen now, or by giving up what was chosen before. */
  can(part: string): boolean {
    return this.next.has(part) || this.legal.some((one) => this.parts(one.move).includes(part));
  }

  /**
   * Chooses a part; the action, if that completes one. A part that was chosen is let go. A part that
   * does not go with what was chosen replaces it, as far as needed: the last choices go first.
   */
  choose(part: string): Legal | null {
    if (!this.next.has(part) && this.chosen.includes(part)) {
      this.chosen = this.chosen.filter((one) => one !== part);
      return null;
    }
    let kept = this.chosen;
    while (kept.length && !this.legal.some((one) => this.#has(one.move, [...kept, part]))) {
      kept = kept.slice(0, -1);
    }
    if (!this.legal.some((one) => this.#has(one.move, [...kept, part]))) return null;
    this.chosen = [...kept, part];
    return this.complete;
  }

  /** Chooses all parts of an action. */
  take(action: number): Legal | null {
    const found = this.legal.find((one) => one.action === action) ?? null;
    if (found) this.chosen = this.parts(found.move);
    return found;
  }

  /** The actions whose texts a typed one may become: capitals and spaces do not matter. */
  typed(text: string): Legal[] {
    const wanted = plain(text);
    if (!wanted) return [];
    const exact = this.legal.filter((one) => plain(one.move) === wanted);
    return exact.length ? exact : this.legal.filter((one) => plain(one.move).startsWith(wanted));
  }

  /** Lets the last part go. */
  back(): void {
    this.chosen = this.chosen.slice(0, -1);
  }

  clear(): void {
    this.chosen = [];
  }

  #has(move: string, wanted: string[]): boolean {
    const parts = this.parts(move);
    if (wanted.length > parts.length) return false;
    return without(parts, wanted).length === parts.length - wanted.length;
  }
}

/** A list without the items of another, each taken out once. */
function without(parts: string[], taken: string[]): string[] {
  const left = [...parts];
  for (const part of taken) {
    const place = left.indexOf(part);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, '').toLowerCase();
}
