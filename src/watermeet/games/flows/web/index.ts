// Flows in the browser.
import type { GameModule } from '@watermeet/board/gameModule';
import Board from './Board.svelte';
import { preview } from './preview';
import { boardOf, changesBy, FILLS, seatOf, SHORTCUTS, split } from './view';

const PLACED = /^(T\d)\.\d([@x])([a-z]\d+)$/;

export const game: GameModule = {
  Board,
  isFinal: (move) => !move.startsWith('side:'),
  editor: async () => (await import('./editor')).editor,
  shortcuts: SHORTCUTS,
  split,
  preview,
  turnWords: (moves, t) => moves.map((move) => game.announceMove?.(move, t) || move).join(', '),
  announceMove: (move, t) => {
    const placed = PLACED.exec(move);
    if (placed) return t('placed', { tile: t(`type.${placed[1]}`), cell: placed[3]! });
    return move.startsWith('side:') ? t('tookSide', { side: t(`side.${move.slice(5)}`) }) : '';
  },
  badge: (view, seat) => ({
    fill: FILLS[seat] ?? '#888',
    ink: '#1b1f26',
    sign: seatOf(view, seat)?.letter ?? String(seat + 1),
  }),
  status: (view, t, players) => {
    const { due, mover, witness } = boardOf(view);
    const player = mover === null ? undefined : players[mover];
    if (!player) return null;
    if (due === 'place') return t(witness === null ? 'placeFree' : 'place', player);
    return due === 'side' || due === 'draw' ? t(due, player) : null;
  },
  describeMove: (move, t) => {
    const placed = PLACED.exec(move);
    if (placed) return `${placed[3]}, ${t(`type.${placed[1]}`)}`;
    return move.startsWith('side:') ? t(`side.${move.slice(5)}`) : null;
  },
  hint: ([first], _, t) => {
    const placed = PLACED.exec(first?.move ?? '');
    if (placed) return t(placed[2] === 'x' ? 'hintExchange' : 'hintPlace', { cell: placed[3]! });
    const side = first?.move.startsWith('side:') ? first.move.slice(5) : null;
    return side === null ? null : `${t('takeSide', { side: t(`side.${side}`) })}.`;
  },
  caption: (move, t, player) => {
    const placed = PLACED.exec(move);
    return player && placed?.[2] === 'x' ? t('exchanged', { ...player, cell: placed[3]! }) : null;
  },
  news: ({ move, seat, before }, view, t, players) => {
    const player = players[seat ?? -1];
    const placed = PLACED.exec(move);
    if (!player) return '';
    if (!placed)
      return move.startsWith('side:')
        ? t('newsSide', { ...player, side: t(`side.${move.slice(5)}`) })
        : null;
    const said = t(placed[2] === 'x' ? 'exchanged' : 'newsPlaced', { ...player, cell: placed[3]! });
    const changes = before ? changesBy(boardOf(before), boardOf(view)) : [];
    return [
      `${said}.`,
      ...changes.map(({ seats, from, to }) =>
        t('newsChange', {
          name: seats.map((one) => players[one]?.name ?? '').join(' + '),
          who: seats.some((one) => players[one]?.who === 'you') ? 'you' : 'other',
          from,
          to,
        }),
      ),
    ].join(' ');
  },
};
