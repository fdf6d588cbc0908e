// How positions of Qwirkle are set up: tiles on the grid, the seat to move. Hands and scores are in the
// text of a position.
import type { PositionEditor } from '@watermeet/board/gameModule';
import { fieldOf, seatOf, withField, withSeat } from '@watermeet/board/positionRows';
import TilePiece from './TilePiece.svelte';
import { boardOf, COLOURS, frontier, SHAPES, tileWords } from './view';

const TILE = /^([A-Z][a-z])(-?\d+),(-?\d+)$/;

function tilesOf(position: string): { tile: string; x: number; y: number }[] {
  return fieldOf(position, 'grid')
    .split(';')
    .flatMap((word) => {
      const found = TILE.exec(word);
      return found ? [{ tile: found[1]!, x: Number(found[2]), y: Number(found[3]) }] : [];
    });
}

export const editor: PositionEditor = {
  pieces: [...COLOURS].flatMap((colour) => [...SHAPES].map((shape) => colour + shape)),
  Piece: TilePiece,
  label: (piece, t) => tileWords(piece, t),
  cells: (view) => {
    const { tiles } = boardOf(view);
    return [...tiles.map(({ x, y }) => `${x},${y}`), ...frontier(tiles)];
  },
  offered: (view) => frontier(boardOf(view).tiles),
  // Which tiles belong to a turn no longer holds: the last one counts as the turn before.
  put: (position, cell, piece) => {
    const others = tilesOf(position).filter(({ x, y }) => `${x},${y}` !== cell);
    const words = others.map(({ tile, x, y }) => `${tile}${x},${y}`);
    const grid = [...words, ...(piece ? [piece + cell] : [])].join(';');
    const before = withField(withField(position, 'laid', ''), 'last', grid && '1');
    return withField(before, 'grid', grid);
  },
  preview: (view, position) => {
    const tiles = tilesOf(position);
    return { ...view, board: { ...boardOf(view), tiles, laid: [], last: [], preview: null } };
  },
  mover: {
    choices: (names) => names.map((label, seat) => ({ value: String(seat), label })),
    get: seatOf,
    set: withSeat,
  },
};
