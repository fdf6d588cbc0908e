// Flume in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import { texts } from './texts';
import { boardOf, SHORTCUTS } from './view';

export const game: GameModule = {
  Board,
  texts,
  shortcuts: SHORTCUTS,
  split: (move) => [move],
  formatMove: (move, t) => (move === 'swap' ? t('swap') : move),
  badge: (view, seat) =>
    view.seats[seat]?.label === 'Red'
      ? { fill: '#c8321f', ink: '#fff', sign: '◎' }
      : { fill: '#2457b0', ink: '#fff', sign: '•' },
  status: (view, t, players) => {
    const board = boardOf(view);
    const player = players[view.to_move];
    if (!player) return null;
    if (board.decided !== null) return t('decided', players[board.decided]);
    return t(board.may_swap ? 'placeOrSwap' : 'place', player);
  },
};
