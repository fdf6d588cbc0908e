// Flume in the browser.
import type { GameModule } from '@watermeet/board/gameModule';
import { STONE_BADGES } from '@watermeet/board/stones';
import Board from './Board.svelte';
import { preview } from './preview';
import { boardOf, chainUpTo, connectionsAt, isAgain, labelThen, SHORTCUTS } from './view';

export const game: GameModule = {
  Board,
  isFinal: (move) => move !== 'swap',
  editor: async () => (await import('./editor')).editor,
  shortcuts: SHORTCUTS,
  split: (move) => [move],
  preview,
  formatMove: (move, t) => (move === 'swap' ? t('swap') : move),
  badge: (view, seat) => (view.seats[seat]?.label === 'Red' ? STONE_BADGES.red : STONE_BADGES.blue),
  status: (view, t, players) => {
    const board = boardOf(view);
    const player = players[view.to_move];
    if (!player) return null;
    if (board.decided !== null) return t('decided', players[board.decided]);
    return t(board.may_swap ? 'placeOrSwap' : 'place', player);
  },
  describeMove: (_, t, __, played) => {
    if (!played) return null;
    const count = chainUpTo(played);
    if (count > 1) return t('chainOf', { count });
    const isNewest = played.index === played.moves.length - 1;
    return isNewest && isAgain(played) ? t('movesAgainShort') : null;
  },
  news: ({ move, seat }, view, t, players) => {
    const player = players[seat ?? -1];
    const other = players[1 - (seat ?? 0)];
    if (!player || !other || seat === null) return null;
    if (move === 'swap')
      return t('newsSwap', {
        ...player,
        colour: view.seats[seat]?.label ?? '',
        other: other.name,
        otherWho: other.who,
      });
    const count = connectionsAt(boardOf(view), move);
    if (view.to_move === seat) return t('again', { ...player, count });
    return t('newsPlaced', { ...player, cell: move, count });
  },
  hint: (steps, view, t) => {
    const [first] = steps;
    if (!first || first.move === 'swap') return first ? `${t('swap')}.` : null;
    const isAgain = steps.length > 1 || connectionsAt(boardOf(view), first.move) >= 3;
    const list = steps.map(({ move }) => move).join(', ');
    return t('hintPlace', { count: steps.length, list, again: isAgain ? 'yes' : 'no' });
  },
  caption: (move, t, player) => (move === 'swap' && player ? t('captionSwap', player) : null),
  labelThen,
  // Once both have a stone; before that the position would be none.
  passTurn: (position) => {
    const [rows = '', colour, seat] = position.split(' ');
    return /r/.test(rows) && /b/.test(rows)
      ? `${rows} ${colour === 'r' ? 'b' : 'r'} ${seat}`
      : null;
  },
};
