// How positions of Flows are set up: turned tiles on cells, the seat to move. The tile in hand and
// what else a position has are in its text.
import type { PositionEditor } from '@watermeet/board/gameModule';
import type { View } from '@watermeet/api/wire';
import {
  fieldOf,
  putAt,
  readRows,
  seatOf,
  withField,
  withSeat,
} from '@watermeet/board/positionRows';
import TilePiece from './TilePiece.svelte';
import { boardOf, pairsOf, tileNamed, type Strand } from './view';

/** The rows of a position; an empty board isn't written. */
function rowsOf(position: string, view: View): string {
  const lengths = new Map<number, number>();
  for (const { r } of boardOf(view).cells) lengths.set(r, (lengths.get(r) ?? 0) + 1);
  return fieldOf(position, 'board') || [...lengths.values()].join('/');
}

export const editor: PositionEditor = {
  pieces: [...'abcdefghijklmn'],
  Piece: TilePiece,
  label: (piece) => tileNamed(piece),
  cells: (view) => boardOf(view).cells.map(({ name }) => name),
  put: (position, cell, piece, view) => {
    const index = editor.cells(view).indexOf(cell);
    const before = withField(withField(position, 'winners', ''), 'by', '');
    return withField(before, 'board', putAt(rowsOf(position, view), index, piece));
  },
  preview: (view, position) => {
    const letters = readRows(rowsOf(position, view)).flat();
    const strands: Strand[] = [];
    const cells = boardOf(view).cells.map((cell, index) => {
      const tile = letters[index] ? tileNamed(letters[index]) : null;
      for (const [from, to] of tile ? pairsOf(tile) : [])
        strands.push({ steps: [[cell.name, from, to]], ends: [], owners: [], wins: false });
      const [kind = null, turns = null] = tile?.split('.') ?? [];
      return { ...cell, tile: kind, rotation: turns === null ? null : Number(turns) };
    });
    return { ...view, board: { ...boardOf(view), cells, strands, witness: null } };
  },
  mover: {
    choices: (names) => names.map((label, seat) => ({ value: String(seat), label })),
    get: seatOf,
    set: withSeat,
  },
};
