// Flow in the browser.
import type { GameModule } from '@watermeet/board/gameModule';
import Board from './Board.svelte';
import { preview } from './preview';
import { boardOf, CARDS, glyphOf, isCell, kindOf, layOf, SHORTCUTS, split, waveOf } from './view';
import { hintWords, moveNews } from './news';
import { waveWords } from './words';

/** What players do; the other stages are chance, which the server's sentence describes. */
const MOVES = new Set(['turn', 'lay', 'carry', 'die', 'boat']);

/** The options of scenario cards that have another name in the notation. */
const OPTIONS: Record<string, string> = { silence: 'no_communication' };

export const game: GameModule = {
  Board,
  isFinal: (move) => layOf(move) !== null || CARDS.has(move.split(':')[0] ?? ''),
  editor: async () => (await import('./editor')).editor,
  shortcuts: SHORTCUTS,
  split,
  preview,
  formatMove: (move, t) => {
    const laid = layOf(move);
    if (laid) return `${t(kindOf(laid.part))} ${glyphOf(laid.part)} ${laid.cell}`;
    return split(move)
      .map((part) => (isCell(part) ? part : t(part)))
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
      .map((part) => (isCell(part) ? part : t(part)))
      .join(' ');
  },
  describeMove: (move, t) => {
    const wave = waveOf([{ move }]);
    return wave && waveWords(wave, null, t);
  },
  news: (played, view, t, players) => moveNews(played, view, t, players),
  hint: (steps, _, t) => steps.map((step) => hintWords(step, t)).join(' '),
  caption: (move, t, player) => {
    const wave = waveOf([{ move }]);
    if (wave) return `${t('wave')} ${waveWords(wave, null, t)}`;
    const [what = '', more = ''] = move.split(':');
    if (what === 'time') return t('newsTime');
    if (what === 'scenario')
      return t('newsScenario', { scenario: t(`option.${OPTIONS[more] ?? more}`) });
    if (what === 'tile') return t('drawn', { tile: t(more) });
    return what === 'swap' && player ? t('newsSwap', player) : null;
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
    const parts = view.legal.map(({ move }) => move.split(':')[0] ?? '');
    const canDraw = parts.some((part) => part === 'draw' || part === 'take');
    const canPlay = parts.some((part) => CARDS.has(part));
    const can = canDraw === canPlay ? 'both' : canDraw ? 'draw' : 'card';
    return `${t(board.due, { ...player, can })} ${more}`.trim();
  },
};
