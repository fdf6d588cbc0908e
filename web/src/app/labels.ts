// Short labels: titles of games, names of players and levels, errors, times.
import type { Game, Headline, SeatInfo } from '../api/wire';
import { gameCard } from '../board/gameModule';
import { spanText } from './dates';
import { language, t, type Key } from './language.svelte';
import type { SlowTime } from '../board/match.svelte';
import { Refusal } from '../api/refusal';

/** The title of a game. */
export function gameTitle(game: string, games: Game[] = []): string {
  const declared = games.find((one) => one.name === game)?.facts.title;
  return gameCard(game)?.title[language.code] ?? declared ?? game;
}

/** One line about a game. */
export function gameTagline(game: Game): string {
  return gameCard(game.name)?.tagline[language.code] ?? game.facts.summary;
}

/** The name of a level: `Brook`. */
export function levelName(level: string): string {
  const key = `level.${level}`;
  return language.has('page', key) ? t(key as Key) : level;
}

/** A level as a choice: `Brook – easy`. */
export function levelLabel(level: string): string {
  const hint = `levelHint.${level}`;
  return language.has('page', hint) ? `${levelName(level)} – ${t(hint as Key)}` : levelName(level);
}

/** Whether a game has no name for a seat, only a number. */
export function isPlainLabel(label: string): boolean {
  return /^(Seat|Player) \d+$/.test(label);
}

/** What a game calls a seat, such as `Red`; `Player 2` where it has no name for it. */
export function seatLabel(game: string, label: string, seat: number): string {
  const found = language.ofGame(game, `label.${label}`) ?? language.ofGame(game, `label.${seat}`);
  return found ?? (isPlainLabel(label) ? t('setup.seatNumber', { number: seat + 1 }) : label);
}

/** The name of those who have given none, before it is translated. */
export const GUEST = 'Guest';

/** The name of the player on a seat; `label` is the seat's own. */
export function playerName(seat: SeatInfo | undefined, label: string): string {
  if (!seat) return label;
  if (seat.who === 'bot') return levelName(seat.level);
  // Imported records without names have these; the seat's label is better.
  if (isPlainLabel(seat.name)) return label;
  if (seat.who === 'person') return seat.name === GUEST ? t('player.guest') : seat.name;
  return t(seat.who === 'open' ? 'player.open' : 'player.invited');
}

/** The same for lists, where guests are marked: anybody can take such a name. */
export function listedName(seat: SeatInfo | undefined, label: string): string {
  const name = playerName(seat, label);
  const isMarked = seat?.is_guest && name !== t('player.guest') && name !== label;
  return isMarked ? `${name} (${t('player.isGuest')})` : name;
}

/** An error in the language of the page. */
export function errorText(error: unknown): string {
  if (!(error instanceof Refusal)) return t('error.other', { message: String(error) });
  const key = `error.${error.code}`;
  if ('line' in error.facts && language.has('page', `${key}_at`))
    return t(`${key}_at` as Key, error.facts);
  if (language.has('page', key)) return t(key as Key);
  const message = error.hint ? `${error.message} (${error.hint})` : error.message;
  return t('error.other', { message });
}

/** The same where somebody was asked for by name. */
export function personErrorText(error: unknown, name: string): string {
  const isNobody = error instanceof Refusal && error.code === 'not_found';
  return isNobody ? t('challenge.nobody', { name }) : errorText(error);
}

/** A remaining time: `4:09`, `9.3` when it runs short, or days and hours. */
export function formatTime(ms: number): string {
  if (ms >= 86_400_000) {
    return `${Math.floor(ms / 86_400_000)} d ${Math.floor((ms % 86_400_000) / 3_600_000)} h`;
  }
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const two = (number: number): string => String(number).padStart(2, '0');
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** What the player to move in a slow match has left; empty in other matches. */
export function deadlineText({ flag_at, reserve_ms }: Headline, now = Date.now()): string {
  if (flag_at === null) return '';
  const left = Math.max(0, flag_at - now);
  return slowTexts({ turnMs: left - reserve_ms, reserveMs: Math.min(left, reserve_ms) })[0] ?? '';
}

/** The time of a player in a slow match: `2 days 23 hr left`, `5 days in reserve`. */
export function slowTexts({ turnMs, reserveMs }: SlowTime): string[] {
  const reserve = spanText(reserveMs, language.code);
  if (turnMs !== null && turnMs <= 0) return [t('clock.fromReserve', { time: reserve })];
  const turn = turnMs === null ? [] : [t('clock.left', { time: spanText(turnMs, language.code) })];
  return reserveMs > 0 ? [...turn, t('clock.reserve', { time: reserve })] : turn;
}
