// My Game in the browser.
import type { GameModule } from '@watermeet/board/gameModule';
import Board from './Board.svelte';
import { FILLS, LETTERS } from './view';

export const game: GameModule = {
  Board,
  // A move has one part here: its cell. A move of several parts is split into them.
  split: (move) => [move],
  badge: (_view, seat) => ({
    fill: FILLS[seat] ?? '#555',
    ink: '#fff',
    sign: (LETTERS[seat + 1] ?? '?').toUpperCase(),
  }),
  status: (view, t, players) => {
    const player = players[view.to_move];
    return player ? t('now', player) : null;
  },
};
