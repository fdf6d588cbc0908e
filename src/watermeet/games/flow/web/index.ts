// Flow in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import Help from './Help.svelte';
import { texts } from './texts';
import { boardOf, isCell, layOf, split } from './view';

const FILLS = ['#0b6474', '#a35200', '#7a3e9d', '#1f6b42', '#a8271c', '#33415c'];
const KNOWN = new Set(Object.keys(texts.en));

export const game: GameModule = {
  Board,
  Help,
  texts,
  split,
  tell: (move, say) => {
    const laid = layOf(move);
    if (laid) return `${laid.part}@${laid.cell}`;
    return split(move).map((part) => (!isCell(part) && KNOWN.has(part) ? say(part) : part)).join(' ');
  },
  news: (move, say) => {
    const laid = layOf(move);
    if (laid) return say('newsLay', { cell: laid.cell, edges: [...laid.part].map((edge) => (edge === 'X' ? say('scenario') : say(edge))).join(' ') });
    const [what = '', more = ''] = move.split(':');
    if (what === 'white' || what === 'black') return say('newsDie', { die: say(what), pips: more });
    return split(move).map((part) => (!isCell(part) && KNOWN.has(part) ? say(part) : part)).join(' ');
  },
  badge: (_, seat) => ({ fill: FILLS[seat] ?? '#333', ink: '#fff', sign: String(seat + 1) }),
  sentence: (view, say, players) => {
    const board = boardOf(view);
    const player = board.mover === null ? undefined : players[board.mover];
    if (!player || !KNOWN.has(board.due)) return null;
    const more = board.time_up ? say('timeUp') : board.turns_left === null ? '' : say('left', { count: board.turns_left });
    return `${say(board.due, player)} ${more}`.trim();
  },
};
