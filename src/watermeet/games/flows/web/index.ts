// Flows in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import { texts } from './texts';
import { boardOf, FILLS, SHORTCUTS, split } from './view';

export const game: GameModule = {
  Board,
  texts,
  shortcuts: SHORTCUTS,
  split,
  announceMove: (move, t) => {
    const laid = /^(T\d)\.\d[@x]([a-z]\d+)$/.exec(move);
    if (laid) return t('newsLay', { tile: t(`type.${laid[1]}`), cell: laid[2]! });
    return move.startsWith('side:') ? t('newsSide', { number: Number(move.slice(5)) + 1 }) : '';
  },
  badge: (view, seat) => ({ fill: FILLS[seat] ?? '#888', ink: '#1b1f26', sign: String(view.seats[seat]?.['letter'] ?? seat + 1) }),
  status: (view, t, players) => {
    const { due, mover, witness } = boardOf(view);
    const player = mover === null ? undefined : players[mover];
    if (!player) return null;
    if (due === 'lay') return t(witness === null ? 'layFree' : 'lay', player);
    return due === 'side' || due === 'draw' ? t(due, player) : null;
  },
};
