// Small things in words: names of seats, titles of games, errors, times.
import { cardOf } from './boards';
import type { Game } from './api';
import { language, t } from './language.svelte';
import { Refusal } from './line.svelte';
import type { SeatTold } from './wire';
import { en, type Key } from '../texts/en';

/** The title of a game. */
export function titleOf(game: string, games: Game[] = []): string {
  return cardOf(game)?.title[language.code] ?? games.find((one) => one.name === game)?.facts.title ?? game;
}

/** One line about a game. */
export function taglineOf(game: Game): string {
  return cardOf(game.name)?.tagline[language.code] ?? game.facts.summary;
}

/** The name of a level: `Brook`. */
export function levelName(level: string): string {
  const key = `level.${level}`;
  return key in en ? t(key as Key) : level;
}

/** A level as a choice: `Brook – easy`. */
export function levelWords(level: string): string {
  const hint = `levelHint.${level}`;
  return hint in en ? `${levelName(level)} – ${t(hint as Key)}` : levelName(level);
}

/** What is written beside a seat: who sits there. */
export function seatName(seat: SeatTold | undefined, label: string): string {
  if (!seat) return label;
  if (seat.who === 'bot') return levelName(seat.level);
  // A record without names has these: what the game calls a seat is better.
  if (/^Seat \d$/.test(seat.name)) return label;
  if (seat.who === 'person') return seat.name === 'Guest' ? t('player.guest') : seat.name;
  return t(seat.who === 'open' ? 'player.open' : 'player.invited');
}

/** An error for people. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Refusal)) return t('error.other', { message: String(error) });
  const key = `error.${error.code}`;
  if (key in en) return t(key as Key);
  return t('error.other', { message: error.hint ? `${error.message} (${error.hint})` : error.message });
}

/** A time that is left: `4:09`, or `9.3` when it gets short, or days. */
export function timeWords(ms: number): string {
  if (ms >= 86_400_000) return `${Math.floor(ms / 86_400_000)} d ${Math.floor((ms % 86_400_000) / 3_600_000)} h`;
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const rest = String(seconds % 60).padStart(2, '0');
  return seconds >= 3600
    ? `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${rest}`
    : `${Math.floor(seconds / 60)}:${rest}`;
}
