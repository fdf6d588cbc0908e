// How positions of Flow are set up: tiles on cells, birds on tiles, the seat to move. Cards and supplies
// are in the text of a position.
import type { PositionEditor } from '@watermeet/board/gameModule';
import {
  fieldOf,
  putAt,
  readRows,
  seatOf,
  withField,
  withSeat,
} from '@watermeet/board/positionRows';
import TilePiece from './TilePiece.svelte';
import { BIRD, boardOf, edgesNamed, kindOf } from './view';

const EMPTY = '7/7/7/7/7/7/7';

/** Where a cell is among the rows, which are written from the top. */
const indexOf = ({ column, row }: { column: number; row: number }): number =>
  7 * (6 - row) + column;
const rowsOf = (position: string): string => fieldOf(position, 'board') || EMPTY;

export const editor: PositionEditor = {
  pieces: [...'abcdefghijklmno', BIRD],
  Piece: TilePiece,
  label: (piece, t) => (piece === BIRD ? t('bird') : edgesNamed(piece)),
  cells: (view) => {
    const { cells, animals, boat } = boardOf(view);
    const taken = new Set([boat.cell, ...animals.map(({ cell }) => cell)]);
    return cells.map(({ name }) => name).filter((name) => !taken.has(name));
  },
  put: (position, cell, piece, view) => {
    const found = boardOf(view).cells.find(({ name }) => name === cell);
    if (!found) return position;
    const own = readRows(rowsOf(position)).flat()[indexOf(found)] ?? '';
    const bare = own.replace(BIRD, '');
    const put = piece !== BIRD ? piece : own.endsWith(BIRD) ? bare : bare && bare + BIRD;
    return withField(position, 'board', putAt(rowsOf(position), indexOf(found), put));
  },
  preview: (view, position) => {
    const letters = readRows(rowsOf(position)).flat();
    const open = new Set(editor.cells(view));
    const cells = boardOf(view).cells.map((cell) => {
      if (!open.has(cell.name)) return cell;
      const letter = letters[indexOf(cell)] ?? '';
      const edges = letter.startsWith('x') ? '' : edgesNamed(letter);
      const tile = letter.startsWith('x') ? 'scenario' : edges ? kindOf(edges) : null;
      return { ...cell, tile, edges, bird: letter.endsWith(BIRD), wet: false };
    });
    return { ...view, board: { ...boardOf(view), cells } };
  },
  mover: {
    choices: (names) => names.map((label, seat) => ({ value: String(seat), label })),
    get: seatOf,
    set: withSeat,
  },
};
