// What an action did, in one plain sentence.
import type { Player, PlayedMove, Translate } from '@watermeet/board/gameModule';
import type { StepInfo, View } from '@watermeet/api/wire';
import { boardOf, kindOf, layOf, waveOf, type FlowBoard } from './view';
import { waveWords } from './words';

const ON_CELLS = new Set(['support', 'bird', 'current']);
const ALONE = new Set(['fishing', 'calm', 'return', 'swap', 'discard']);

/** The names of the animals that are connected now and weren't before. */
function joined(before: FlowBoard | null, now: FlowBoard, t: Translate): string[] {
  if (!before) return [];
  return now.animals
    .filter(
      (one) =>
        one.connected && before.animals.some((was) => was.name === one.name && !was.connected),
    )
    .map((one) => t(one.name));
}

/** How many tiles are gone. Not a difference: one may have been placed just before the wave. */
function goneCount(before: FlowBoard, now: FlowBoard): number {
  const tiles = ({ cells }: FlowBoard): string[] =>
    cells.filter((cell) => cell.tile || cell.scenario).map((cell) => cell.name);
  const left = new Set(tiles(now));
  return tiles(before).filter((name) => !left.has(name)).length;
}

/** The wave; nothing between its two dice. */
function waveNews(move: string, before: FlowBoard | null, now: FlowBoard, t: Translate): string {
  if (now.due === 'black') return '';
  const first = before?.dice.white ? [{ move: `white:${before.dice.white}` }] : [];
  const wave = waveOf([...first, { move }]);
  const count = before ? goneCount(before, now) : null;
  if (!wave) return '';
  // Without the position between two dice, only one of the lines is known.
  const isWhole = (wave.white && wave.black) || before?.calm;
  if (count !== null && !isWhole) return `${t('wave')} ${t('swept', { count })}`;
  return `${t('wave')} ${waveWords(wave, count, t)}`;
}

export function moveNews(
  { move, seat, before }: PlayedMove,
  view: View,
  t: Translate,
  players: Player[],
): string | null {
  const now = boardOf(view);
  const was = before ? boardOf(before) : null;
  const [what = '', more = ''] = move.split(':');
  if (what === 'time') return t('newsTime');
  if (what === 'white' || what === 'black') return waveNews(move, was, now, t);
  if (seat === null) {
    const mover = players[was?.mover ?? -1];
    if (what === 'tile' && mover) {
      const key = was?.due === 'fish' ? 'newsFished' : 'newsDrawn';
      return t(key, { ...mover, tile: t(more) });
    }
    if (what === 'card') {
      // Not the cards that are dealt at the beginning.
      return mover && was?.due === 'card' ? t('newsCard', { ...mover, card: t(more) }) : '';
    }
    return null;
  }
  const player = players[seat];
  if (!player) return null;
  const laid = layOf(move);
  if (laid) {
    const animals = joined(was, now, t);
    const text = t('newsPlaced', { ...player, tile: t(kindOf(laid.part)), cell: laid.cell });
    return animals.length ? `${text} ${t('newsJoined', { animals: animals.join(', ') })}` : text;
  }
  if (what === 'draw' || what === 'take' || what === 'roll') return '';
  if (ON_CELLS.has(what)) return t('newsPlayedOn', { ...player, card: t(what), cell: more });
  if (what === 'swap') return t('newsSwap', player);
  if (what === 'discard') return t('newsDiscard', player);
  return ALONE.has(what) ? t('newsPlayed', { ...player, card: t(what) }) : null;
}

/** What a step of a hint tells the player to do. */
export function hintWords({ move, explanation }: StepInfo, t: Translate): string {
  const laid = layOf(move);
  if (laid) {
    const { animals } = explanation['facts'] as { animals?: string };
    const text = t('hintPlace', { cell: laid.cell });
    if (!animals) return text;
    const names = animals.split(' and ').map((name) => t(name));
    return `${text} ${t('hintJoins', { animals: names.join(', ') })}`;
  }
  const [what = '', more = ''] = move.split(':');
  if (ON_CELLS.has(what)) return t('hintPlayOn', { card: t(what), cell: more });
  if (what === 'fishing' || what === 'calm') return t('hintPlay', { card: t(what) });
  if (what === 'take') return t('hintTake', { tile: t(more) });
  if (what === 'return') return t('hintPlay', { card: `${t(what)} (${t(more)})` });
  const rest = more ? `: ${more.length > 1 ? t(more) : t(more.toUpperCase())}` : '';
  return `${t(what === 'boat' ? 'boatWay' : what)}${rest}.`;
}
