// Flume in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import Help from './Help.svelte';
import { texts } from './texts';
import { boardOf } from './view';

export const game: GameModule = {
  Board,
  Help,
  texts,
  split: (move) => [move],
  tell: (move, say) => (move === 'swap' ? say('swap') : move),
  badge: (view, seat) =>
    view.seats[seat]?.label === 'Red'
      ? { fill: '#c8321f', ink: '#fff', sign: '◎' }
      : { fill: '#2457b0', ink: '#fff', sign: '•' },
  sentence: (view, say, players) => {
    const board = boardOf(view);
    const player = players[view.to_move];
    if (!player) return null;
    if (board.decided !== null) return say('decided', players[board.decided]);
    return say(board.may_swap ? 'nowSwap' : 'now', player);
  },
};
