// How positions of Flume are set up: stones on points, the colour to move.
import type { PositionEditor } from '@watermeet/board/gameModule';
import { putAt, readRows } from '@watermeet/board/positionRows';
import StonePiece from '@watermeet/board/StonePiece.svelte';
import { boardOf, pointsOf } from './view';

const NAMES: Record<string, string> = { r: 'red', b: 'blue' };

export const editor: PositionEditor = {
  pieces: ['r', 'b'],
  Piece: StonePiece,
  label: (piece, t) => t(NAMES[piece] ?? piece),
  cells: (view) => pointsOf(boardOf(view)).map(({ name }) => name),
  put: (position, cell, piece, view) => {
    const [rows = '', ...rest] = position.split(' ');
    const index = editor.cells(view).indexOf(cell);
    return [putAt(rows, index, piece), ...rest].join(' ');
  },
  preview: (view, position) => {
    const rows = readRows(position.split(' ')[0] ?? '').map((row) =>
      row.map((stone) => stone || '.').join(''),
    );
    const connections = boardOf(view).connections.map(() => null);
    return {
      ...view,
      board: { ...boardOf(view), rows, connections, may_swap: false, decided: null },
    };
  },
  mover: {
    choices: (_, t) =>
      ['r', 'b'].map((value) => ({ value, label: t(`label.${value === 'r' ? 'Red' : 'Blue'}`) })),
    get: (position) => position.split(' ')[1] ?? '',
    set: (position, value) => position.replace(/ [rb] /, ` ${value} `),
  },
};
