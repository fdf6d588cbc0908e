// How positions of Hex are set up: stones on cells. How many there are says who is to move.
import type { PositionEditor } from '@watermeet/board/gameModule';
import { putAt, readRows } from '@watermeet/board/positionRows';
import StonePiece from '@watermeet/board/StonePiece.svelte';
import { boardOf, cellsOf } from './view';

const NAMES: Record<string, string> = { r: 'Red', b: 'Blue' };

export const editor: PositionEditor = {
  pieces: ['r', 'b'],
  Piece: StonePiece,
  label: (piece, t) => t('stone', { colour: t(`label.${NAMES[piece]}`) }),
  cells: (view) => cellsOf(boardOf(view)).map(({ name }) => name),
  put: (position, cell, piece, view) => {
    const [rows = '', ...rest] = position.split(' ');
    return [putAt(rows, editor.cells(view).indexOf(cell), piece), ...rest].join(' ');
  },
  preview: (view, position) => {
    const rows = readRows(position.split(' ')[0] ?? '').map((row) =>
      row.map((stone) => stone || '.').join(''),
    );
    return { ...view, board: { ...boardOf(view), rows, chain: [], may_swap: false } };
  },
};
