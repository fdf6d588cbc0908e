// Qwirkle in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import { texts } from './texts';
import { boardOf, SHORTCUTS, split, tileWords } from './view';

const FILLS = ['#7a3e9d', '#0b6474', '#a35200', '#1f6b42', '#a8271c', '#33415c'];

export const game: GameModule = {
  Board,
  texts,
  shortcuts: SHORTCUTS,
  split,
  formatMove: (move, t) => {
    const parts = split(move).map((part) =>
      /^[ROYGBP][cxdsbv]$/.test(part) ? tileWords(part, t) : part,
    );
    if (parts[0] === 'trade') return parts[1] ? t('tradeTile', { tile: parts[1] }) : t('trade');
    if (parts[0] === 'draw' && parts[1]) return t('drawn', { tile: parts[1] });
    if (move === 'end' || move === 'pass') return t(move);
    return parts.length > 1 ? `${parts[0]} (${parts[1]})` : (parts[0] ?? move);
  },
  badge: (_, seat) => ({ fill: FILLS[seat] ?? '#333', ink: '#fff', sign: String(seat + 1) }),
  status: (view, t, players) => {
    const board = boardOf(view);
    const player = players[view.to_move];
    if (!player) return null;
    if (board.laid.length) return t('laying', { ...player, points: board.preview ?? 0 });
    if (board.aside.length) return t('trading', player);
    return t('lays', { ...player, bag: board.bag });
  },
};
