// Why a hint is a good move, in a sentence or two: from the values that the search found.
import { t } from '../app/language.svelte';
import type { CandidateInfo, Thoughts } from '../api/wire';

/** From this difference on, of the way from a draw to a win, one move is better than another. */
const BETTER = 0.04;
const CLEARLY_BETTER = 0.15;
/** A move that was looked at so much less has been found to be worse. */
const REJECTED = 0.1;
/** How much of the way to a win, or to a loss, counts as an advantage, and as a decisive one. */
const AHEAD = 0.15;
const WINNING = 0.65;

/** A value from -1, the worst, to 1, the best; 0 is even. */
export function share(value: number, { worst, best }: Pick<Thoughts, 'worst' | 'best'>): number {
  const most = value < 0 ? -worst : best;
  return most > 0 ? Math.max(-1, Math.min(1, value / most)) : 0;
}

export type Standing = 'winning' | 'ahead' | 'even' | 'behind' | 'losing';

export function standing(found: number): Standing {
  if (Math.abs(found) < AHEAD) return 'even';
  if (found > 0) return found < WINNING ? 'ahead' : 'winning';
  return found > -WINNING ? 'behind' : 'losing';
}

/** How a move compares with another: as good, better or worse, a little or clearly. */
export function comparison(
  one: CandidateInfo,
  other: CandidateInfo,
  range: Pick<Thoughts, 'worst' | 'best'>,
): 'equal' | 'better' | 'clear' | 'weaker' | 'muchWeaker' {
  const gap = share(one.value, range) - share(other.value, range);
  if (other.visits < REJECTED * one.visits) return 'clear';
  if (one.visits < REJECTED * other.visits) return 'muchWeaker';
  if (Math.abs(gap) < BETTER) return 'equal';
  if (gap > 0) return gap < CLEARLY_BETTER ? 'better' : 'clear';
  return gap > -CLEARLY_BETTER ? 'weaker' : 'muchWeaker';
}

/** Why to play a candidate. `isTogether`: all players win or lose together. */
export function whyText(
  thoughts: Thoughts,
  shown: CandidateInfo,
  others: CandidateInfo[],
  isTogether: boolean,
  format: (move: string) => string,
): string {
  if (!thoughts.nodes && thoughts.candidates.length === 1 && !shown.proven) return t('hint.only');
  const value = share(shown.value, thoughts);
  if (shown.proven) return t(value > 0 ? 'hint.wins' : value < 0 ? 'hint.loses' : 'hint.draws');
  const found = standing(value);
  const stands = t(isTogether ? `hint.together.${found}` : `hint.${found}`);
  const other = others.find((one) => one !== shown);
  if (!other?.line[0] || !shown.line[0]) return stands;
  const [own, its] = [format(shown.line[0].move), format(other.line[0].move)];
  const compared = t(`hint.${comparison(shown, other, thoughts)}`, {
    move: own === its ? 'none' : its,
    which: other === others[0] ? 'first' : 'next',
  });
  return `${compared} ${stands}`;
}
