// Qwirkle in the browser.
import type { GameModule } from '@watermeet/board/gameModule';
import Board from './Board.svelte';
import { preview } from './preview';
import { boardOf, linesBy, pointsBy, SHORTCUTS, split, tileWords, turnBy } from './view';

/** Nobody is to move: the match has ended by the rules. */
const OVER = -2;
/** What the last tile of a match brings. */
const LAST_TILE = 6;

export const game: GameModule = {
  Board,
  isFinal: () => false, // Tiles can be taken back until the turn ends.
  editor: async () => (await import('./editor')).editor,
  shortcuts: SHORTCUTS,
  split,
  preview,
  formatMove: (move, t) => {
    const parts = split(move).map((part) =>
      /^[ROYGBP][cxdsbv]$/.test(part) ? tileWords(part, t) : part,
    );
    if (parts[0] === 'trade') return parts[1] ? t('tradeTile', { tile: parts[1] }) : t('trade');
    if (parts[0] === 'draw' && parts[1]) return t('drawn', { tile: parts[1] });
    if (move === 'end' || move === 'pass') return t(move);
    return parts[0] ?? move; // The board shows no coordinates.
  },
  turnWords: (moves, t) => {
    const tiles = moves.flatMap((move) => split(move).filter((part) => /^[A-Z][a-z]$/.test(part)));
    const list = tiles.map((tile) => tileWords(tile, t)).join(', ');
    if (moves[0]?.startsWith('trade')) return t('tradeTile', { tile: list });
    return list || moves.map((move) => game.formatMove?.(move, t) ?? move).join(', ');
  },
  badge: (_, seat) => ({
    fill: `var(--player-${seat + 1})`,
    ink: '#1b1f26',
    sign: String(seat + 1),
  }),
  status: (view, t, players) => {
    const board = boardOf(view);
    const player = players[view.to_move];
    if (!player) return null;
    if (board.laid.length) return t('laying', { ...player, points: board.preview ?? 0 });
    if (board.aside.length) return t('trading', player);
    const moves = view.legal.map(({ move }) => move);
    const canPlace = moves.some((move) => move.includes('@'));
    const can = moves.some((move) => move.startsWith('trade'))
      ? 'both'
      : canPlace
        ? 'place'
        : 'pass';
    return t('lays', { ...player, bag: board.bag, can });
  },
  hint: (steps, _, t) => {
    const moves = steps.map(({ move }) => move);
    const tiles = moves
      .filter((move) => /[@:]/.test(move))
      .map((move) => tileWords(split(move).find((part) => /^[A-Z][a-z]$/.test(part)) ?? '', t));
    const list = tiles.join(', ');
    if (moves[0] === 'pass') return `${t('pass')}.`;
    if (moves[0]?.startsWith('trade')) return t('hintTrade', { list });
    const known = steps.findLast(({ explanation }) => 'points' in (explanation['facts'] as object));
    const points = Number((known?.explanation['facts'] as { points?: number })?.points ?? 0);
    return t(tiles.length ? 'hintPlace' : 'hintEnd', { list, points });
  },
  turnGroups: true,
  describeMove: (move, t, _, played) => {
    if (move !== 'end' || !played) return null;
    const { lines, placed } = turnBy(played);
    if (!placed) return null;
    const points = pointsBy(lines, Array(placed).fill(0));
    const full = lines.filter((line) => line.isFull).length;
    const isLast = played.view.to_move === OVER && played.index === played.moves.length - 1;
    return t('scored', { points, full }) + (isLast ? ` +${LAST_TILE}` : '');
  },
  news: ({ move, seat, before }, view, t, players) => {
    const board = boardOf(view);
    const player = players[seat ?? -1];
    if (!player) return move.startsWith('draw') ? '' : null;
    if (move === 'pass') return t('newsPass', player);
    if (move.startsWith('trade')) return '';
    if (move !== 'end') {
      const tile = tileWords(split(move)[0] ?? '', t);
      return t('newsPlaced', { ...player, tile });
    }
    const traded = before ? boardOf(before).aside.length : 0;
    if (traded) return t('newsTraded', { ...player, count: traded });
    const lines = linesBy(board.tiles, board.last);
    const points = pointsBy(lines, board.last);
    if (!points) return null;
    const full = lines.filter((line) => line.isFull).length;
    const text = t('newsScored', { ...player, points, full });
    return view.to_move === OVER ? `${text} ${t('newsLast', { points: LAST_TILE })}` : text;
  },
};
