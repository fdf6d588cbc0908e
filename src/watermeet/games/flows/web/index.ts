// Flows in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import Help from './Help.svelte';
import { texts } from './texts';
import { boardOf, FILLS, split } from './view';

export const game: GameModule = {
  Board,
  Help,
  texts,
  split,
  news: (move, say) => {
    const laid = /^(T\d)\.\d[@x]([a-z]\d+)$/.exec(move);
    if (laid) return say('newsLay', { tile: say(`type.${laid[1]}`), cell: laid[2]! });
    return move.startsWith('side:') ? say('newsSide', { number: Number(move.slice(5)) + 1 }) : '';
  },
  badge: (view, seat) => ({ fill: FILLS[seat] ?? '#888', ink: '#1b1f26', sign: String(view.seats[seat]?.['letter'] ?? seat + 1) }),
  sentence: (view, say, players) => {
    const { due, mover, witness } = boardOf(view);
    const player = mover === null ? undefined : players[mover];
    if (!player) return null;
    if (due === 'lay') return say(witness === null ? 'layFree' : 'lay', player);
    return due === 'side' || due === 'draw' ? say(due, player) : null;
  },
};
