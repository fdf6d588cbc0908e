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
    const placed = /^(T\d)\.\d[@x]([a-z]\d+)$/.exec(move);
    if (placed) return t('placed', { tile: t(`type.${placed[1]}`), cell: placed[2]! });
    return move.startsWith('side:') ? t('tookSide', { side: t(`side.${move.slice(5)}`) }) : '';
  },
  badge: (view, seat) => ({
    fill: FILLS[seat] ?? '#888',
    ink: '#1b1f26',
    sign: String(view.seats[seat]?.['letter'] ?? seat + 1),
  }),
  status: (view, t, players) => {
    const { due, mover, witness } = boardOf(view);
    const player = mover === null ? undefined : players[mover];
    if (!player) return null;
    if (due === 'place') return t(witness === null ? 'placeFree' : 'place', player);
    return due === 'side' || due === 'draw' ? t(due, player) : null;
  },
};
