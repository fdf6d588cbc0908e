// Flow in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import { texts } from './texts';
import { boardOf, isCell, SHORTCUTS, layOf, split } from './view';

const KNOWN = new Set(Object.keys(texts.en));
/** What players do; the other stages are chance, which the server's sentence describes. */
const MOVES = new Set(['turn', 'lay', 'carry', 'die', 'boat']);

export const game: GameModule = {
  Board,
  texts,
  shortcuts: SHORTCUTS,
  split,
  formatMove: (move, t) => {
    const laid = layOf(move);
    if (laid) return `${laid.part}@${laid.cell}`;
    return split(move)
      .map((part) => (!isCell(part) && KNOWN.has(part) ? t(part) : part))
      .join(' ');
  },
  announceMove: (move, t) => {
    const laid = layOf(move);
    if (laid)
      return t('newsLay', {
        cell: laid.cell,
        edges: [...laid.part].map((edge) => (edge === 'X' ? t('scenario') : t(edge))).join(' '),
      });
    const [what = '', more = ''] = move.split(':');
    if (what === 'white' || what === 'black') return t('newsDie', { die: t(what), pips: more });
    return split(move)
      .map((part) => (!isCell(part) && KNOWN.has(part) ? t(part) : part))
      .join(' ');
  },
  badge: (_, seat) => ({
    fill: `var(--player-${seat + 1})`,
    ink: '#1b1f26',
    sign: String(seat + 1),
  }),
  status: (view, t, players) => {
    const board = boardOf(view);
    const player = board.mover === null ? undefined : players[board.mover];
    if (!player || !MOVES.has(board.due)) return null;
    const more = board.time_up
      ? t('timeUp')
      : board.turns_left === null
        ? ''
        : t('left', { count: board.turns_left });
    return `${t(board.due, player)} ${more}`.trim();
  },
};
