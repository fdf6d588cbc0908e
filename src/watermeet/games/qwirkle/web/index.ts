// Qwirkle in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import Help from './Help.svelte';
import { texts } from './texts';
import { boardOf, split, tileWords } from './view';

const FILLS = ['#7a3e9d', '#0b6474', '#a35200', '#1f6b42', '#a8271c', '#33415c'];

export const game: GameModule = {
  Board,
  Help,
  texts,
  split,
  tell: (move, say) => {
    const parts = split(move).map((part) => (/^[ROYGBP][cxdsbv]$/.test(part) ? tileWords(part, say) : part));
    if (parts[0] === 'trade') return parts[1] ? say('tradeTile', { tile: parts[1] }) : say('trade');
    if (parts[0] === 'draw' && parts[1]) return say('drawn', { tile: parts[1] });
    if (move === 'end' || move === 'pass') return say(move);
    return parts.length > 1 ? `${parts[0]} (${parts[1]})` : (parts[0] ?? move);
  },
  badge: (_, seat) => ({ fill: FILLS[seat] ?? '#333', ink: '#fff', sign: String(seat + 1) }),
  sentence: (view, say, players) => {
    const board = boardOf(view);
    const player = players[view.to_move];
    if (!player) return null;
    if (board.laid.length) return say('laying', { ...player, points: board.preview ?? 0 });
    if (board.aside.length) return say('trading', player);
    return say('lays', { ...player, bag: board.bag });
  },
};
