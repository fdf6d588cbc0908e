// Flecks in the browser.
import type { GameModule } from '@watermeet/board/gameModule';
import { STONE_BADGES } from '@watermeet/board/stones';
import Board from './Board.svelte';
import { preview } from './preview';
import { boardOf, SHORTCUTS, split } from './view';

const ROW = /^([a-z]\d+)-([a-z]+)(\d+)$/;

export const game: GameModule = {
  Board,
  isFinal: (move) => move !== 'stop',
  editor: async () => (await import('./editor')).editor,
  shortcuts: SHORTCUTS,
  split,
  preview,
  formatMove: (move, t) => (move === 'stop' ? t('stop') : move.replace(/^>/, '→ ')),
  turnWords: (moves, t) => moves.map((move) => game.announceMove?.(move, t) || move).join(', '),
  announceMove: (move, t) => {
    const row = ROW.exec(move);
    if (row) return t('newsRow', { cell: row[1]!, way: t(row[2]!), steps: row[3]! });
    return move === 'stop' ? '' : move;
  },
  describeMove: (move, t) => {
    const row = ROW.exec(move);
    return row && t('describeRow', { way: t(row[2]!), steps: row[3]! });
  },
  isQuiet: (move) => move === 'stop',
  news: ({ move, seat }, _, t, players) => {
    const player = players[seat ?? -1];
    const row = ROW.exec(move);
    if (!player || move === 'stop') return '';
    return row
      ? t('rowMoved', { ...player, cell: row[1]!, way: t(row[2]!), steps: row[3]! })
      : t('stonePlaced', { ...player, cell: move });
  },
  hint: (steps, _, t) =>
    steps
      .map(({ move }) => {
        const row = ROW.exec(move);
        if (row) return t('hintRow', { cell: row[1]!, way: t(row[2]!), steps: Number(row[3]) });
        return move === 'stop' ? `${t('stop')}.` : t('hintStone', { cell: move });
      })
      .join(' '),
  // After the opening, before a stone is placed; whoever can't place one has none to threaten with.
  passTurn: (position, view) => {
    const [rows = '', colour] = position.split(' ');
    const isFree = ['add', 'either'].includes(boardOf(view).due);
    return isFree ? `${rows} ${colour === 'r' ? 'b' : 'r'} add` : null;
  },
  badge: (_, seat) => (seat === 0 ? STONE_BADGES.red : STONE_BADGES.blue),
  status: (view, t, players) => {
    const player = players[view.to_move];
    const { due, turn, size, opening_left: left } = boardOf(view);
    if (!player || due === 'nothing') return null;
    const of = size - 3; // Opening stones of each player.
    return t(due, { ...player, of, number: of - left[turn === 'r' ? 0 : 1] + 1 });
  },
};
