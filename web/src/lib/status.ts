// How a match stands, in words: the headline, the reason for its result, what was just played.
import type { GameModule, Translate } from './boards';
import { t } from './language.svelte';
import type { MatchState } from './match.svelte';
import { reasonTexts, type NamesByLabel } from './reasons.svelte';
import type { Move, OutcomeInfo } from './wire';
import { en, type Key } from '../texts/en';

/** Why the match is over: the game's reason, or the platform's. */
export function outcomeText(game: string, outcome: OutcomeInfo, names: NamesByLabel): string {
  const key = `outcome.${outcome.reason}`;
  if (key in en) return t(key as Key);
  return reasonTexts.text(game, outcome.reason, outcome.facts, outcome.sentence, names);
}

/** Who won, seen from a seat; from outside if `seat` is null. */
export function resultText(outcome: OutcomeInfo, seat: number | null, names: string[]): string {
  const { winners, returns } = outcome;
  // Without a winner everybody is level, or a team has lost together.
  const isDraw = !winners.length && new Set(returns).size === 1 && (returns[0] ?? 0) >= 0;
  if (isDraw) return t('match.draw');
  if (seat !== null) return t(winners.includes(seat) ? 'match.won' : 'match.lost');
  if (!winners.length) return t('match.allLost');
  const winning = winners.map((winner) => names[winner] ?? '');
  return winning.length > 1
    ? t('match.winners', { names: winning.join(', ') })
    : t('match.winner', { name: winning[0] ?? '' });
}

/** The headline of the match page. */
export function statusHeadline(
  match: MatchState,
  names: string[],
  isHotseat: boolean,
  ply: number | null,
  isPreparing = false,
): string {
  if (!match.document) return '';
  if (ply !== null) return t('replay.at', { ply, plies: match.moves.length });
  const { stage, toMove, seat, document } = match;
  if (stage === 'open') return t('stage.open');
  if (match.isOver) {
    return document.outcome
      ? resultText(document.outcome, isHotseat ? null : seat, names)
      : t('stage.aborted');
  }
  if (stage === 'paused') return t('stage.paused');
  if (toMove === null) return t('match.chance');
  if (match.isMyTurn && !isHotseat) return t('match.yourTurn');
  const name = names[toMove] ?? '';
  if (isPreparing) return t('match.preparing', { name });
  return t(match.seats[toMove]?.who === 'bot' ? 'match.thinking' : 'match.turnOf', { name });
}

/** Names with the seat's label where two players have the same. */
export function distinctNames(names: string[], labels: string[]): string[] {
  return names.map((name, seat) =>
    names.filter((other) => other === name).length > 1
      ? `${name} (${labels[seat] ?? seat + 1})`
      : name,
  );
}

/** A move as a screen reader announces it; null if there is nothing to say. */
export function announcement(
  move: Move,
  module: GameModule | null,
  gameText: Translate,
  names: string[],
): string | null {
  if (move.move === null) return null;
  const text =
    module?.announceMove?.(move.move, gameText) ??
    module?.formatMove?.(move.move, gameText) ??
    move.move;
  if (!text) return null;
  return move.seat === null ? text : `${names[move.seat] ?? ''}: ${text}`;
}
