// What players say at the table: phrases and reactions from a fixed list, so that everybody reads
// them in their own language, and what partners point at. Nothing is stored.
import { readJson, settings, writeJson } from '../app/settings.svelte';

export const PHRASES = [
  'hello',
  'good_luck',
  'well_played',
  'nice',
  'thanks',
  'oops',
  'sorry',
  'hurry',
  'bye',
] as const;
export const REACTIONS = ['smile', 'clap', 'think', 'wow', 'heart'] as const;
export type ReactionName = (typeof REACTIONS)[number];
export type Phrase = (typeof PHRASES)[number] | ReactionName;

export interface Remark {
  seat: number;
  /** What was said, or what a partner pointed at or has in mind. */
  what: string;
  isSign: boolean;
  number: number;
}

/** How long a bubble stays beside a player, in milliseconds. */
export const BUBBLE_MS = 6000;
/** So many remarks within this time are enough. */
const BURST = 4;
const BURST_MS = 12_000;
/** How long the note stays that one has talked too much. */
const NOTE_MS = 4000;
/** A partner's changing intentions are read aloud once they have settled. */
const SETTLED_MS = 700;
const KEPT = 20;
const MUTED = 'watermeet.muted';

export const isReaction = (what: string): what is ReactionName =>
  (REACTIONS as readonly string[]).includes(what);
export const isPhrase = (what: string): what is Phrase =>
  (PHRASES as readonly string[]).includes(what) || isReaction(what);

export class Talk {
  /** What was said of late, the newest last. */
  remarks = $state.raw<Remark[]>([]);
  /** What stands beside a player, by seat. */
  bubbles = $state.raw<Record<number, string>>({});
  /** Whether somebody has just tried to talk too much. */
  isTooMuch = $state(false);
  /** Whether the talk of this match is muted. */
  isMuted = $state(false);
  #match: string;
  #send: (what: Phrase) => void;
  #count = 0;
  #sentAt: number[] = [];
  #hiding: Record<number, ReturnType<typeof setTimeout>> = {};
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(match: string, send: (what: Phrase) => void) {
    this.#match = match;
    this.#send = send;
    this.isMuted = readJson<string[]>(MUTED, []).includes(match);
  }

  /** Mutes the others in this match, or hears them again. */
  mute(isMuted: boolean): void {
    this.isMuted = isMuted;
    const others = readJson<string[]>(MUTED, []).filter((one) => one !== this.#match);
    writeJson(MUTED, isMuted ? [...others, this.#match].slice(-50) : others);
    if (isMuted) {
      this.remarks = [];
      this.bubbles = {};
    }
  }

  /** Says something; returns false if that was too much at once. */
  say(what: Phrase): boolean {
    const now = performance.now();
    this.#sentAt = this.#sentAt.filter((at) => now - at < BURST_MS);
    if (this.#sentAt.length >= BURST) {
      this.tooMuch();
      return false;
    }
    this.#sentAt.push(now);
    this.isTooMuch = false;
    this.#send(what);
    return true;
  }

  /** The server, or we, found it too much. */
  tooMuch(): void {
    this.isTooMuch = true;
    setTimeout(() => (this.isTooMuch = false), NOTE_MS);
  }

  /** Somebody has said something. */
  hear(seat: number, what: string): void {
    if (!isPhrase(what) || this.isMuted || !settings.talk) return;
    this.#add(seat, what, false);
    this.showBubble(seat, what);
  }

  /** Shows a phrase or a message beside a player for a while. */
  showBubble(seat: number, what: string): void {
    if (this.isMuted || !settings.talk) return;
    this.bubbles = { ...this.bubbles, [seat]: what };
    clearTimeout(this.#hiding[seat]);
    this.#hiding[seat] = setTimeout(() => {
      this.bubbles = Object.fromEntries(
        Object.entries(this.bubbles).filter(([one]) => Number(one) !== seat),
      );
    }, BUBBLE_MS);
  }

  /** A partner has pointed at a cell, or tries out a move. */
  see(seat: number, what: string): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(
      () => {
        const { number } = this.#add(seat, what, true);
        // It is soon out of date, and what was said comes back.
        setTimeout(
          () => (this.remarks = this.remarks.filter((one) => one.number !== number)),
          BUBBLE_MS,
        );
      },
      isCell(what) ? 0 : SETTLED_MS,
    );
  }

  #add(seat: number, what: string, isSign: boolean): Remark {
    const remark = { seat, what, isSign, number: ++this.#count };
    this.remarks = [...this.remarks, remark].slice(-KEPT);
    return remark;
  }
}

/** Whether a sign is a cell, as c4 or 2,-1; otherwise it is a move. */
export const isCell = (what: string): boolean => /^([a-z]+\d+|-?\d+,-?\d+)$/.test(what);
