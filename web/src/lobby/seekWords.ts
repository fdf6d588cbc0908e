// Seeks and challenges in words.
import type { ChallengeInfo, Game, SeekInfo } from '../api/wire';
import { GUEST } from '../app/labels';
import { t } from '../app/language.svelte';
import { seatCount, hasTimer } from './newMatch';
import { clockText } from './setupTexts';

/** The name of somebody, or that they are a guest. */
export function personName(name: string): string {
  return name === GUEST ? t('player.guest') : name;
}

/** A rating; a question mark says that it is provisional. */
export function ratingText(seek: SeekInfo): string {
  return `${seek.rating}${seek.is_provisional ? '?' : ''}`;
}

/** How a match is to be played: the clock, the number of players, rated or casual. */
export function termsText(wanted: SeekInfo | ChallengeInfo, games: Game[]): string {
  const game = games.find((one) => one.name === wanted.game);
  const count = game ? seatCount(game, wanted.options) : 2;
  const words = [
    ...(game && hasTimer(game, wanted.options) ? [] : [clockText(wanted.time_control)]),
    ...(count > 2 ? [t('pairing.players', { count })] : []),
    t(wanted.is_rated ? 'pairing.rated' : 'pairing.casual'),
  ];
  return words.join(' · ');
}

/** A time span as a clock shows it: `1:05`. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
