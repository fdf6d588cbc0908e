// Hex in the browser.
import type { GameModule } from '@watermeet/board/gameModule';
import Board from './Board.svelte';
import { boardOf, FILLS, LETTERS, SWAP } from './view';

export const game: GameModule = {
  Board,
  editor: async () => (await import('./editor')).editor,
  badge: (_view, seat) => ({
    fill: FILLS[seat] ?? '#555',
    ink: '#fff',
    sign: (LETTERS[seat + 1] ?? '?').toUpperCase(),
  }),
  status: (view, t, players) => {
    const player = players[view.to_move];
    return player ? t(boardOf(view).may_swap ? 'nowOrSwap' : 'now', player) : null;
  },
  formatMove: (move, t) => (move === SWAP ? t('swapMove') : move),
};
