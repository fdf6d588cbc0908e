// How positions of Flecks are set up: stones on cells, the colour to move.
import type { PositionEditor } from '@watermeet/board/gameModule';
import { putAt, readRows } from '@watermeet/board/positionRows';
import StonePiece from '@watermeet/board/StonePiece.svelte';
import { boardOf } from './view';

const NAMES: Record<string, string> = { r: 'red', b: 'blue' };

export const editor: PositionEditor = {
  pieces: ['r', 'b'],
  Piece: StonePiece,
  label: (piece, t) => t(NAMES[piece] ?? piece),
  cells: (view) => boardOf(view).cells.map(({ name }) => name),
  // Whatever a turn had brought so far no longer holds.
  put: (position, cell, piece, view) => {
    const [rows = '', colour = 'r'] = position.split(' ');
    return `${putAt(rows, editor.cells(view).indexOf(cell), piece)} ${colour} add`;
  },
  preview: (view, position) => {
    const stones = readRows(position.split(' ')[0] ?? '').flat();
    const { cells } = boardOf(view);
    return {
      ...view,
      board: {
        ...boardOf(view),
        cells: cells.map((cell, index) => ({ ...cell, stone: stones[index] ?? '' })),
        turn: position.split(' ')[1] ?? '',
        last_added: null,
        chain: [],
      },
    };
  },
  mover: {
    choices: (_, t) =>
      ['r', 'b'].map((value) => ({ value, label: t(`label.${value === 'r' ? 'Red' : 'Blue'}`) })),
    get: (position) => position.split(' ')[1] ?? '',
    set: (position, value) => `${position.split(' ')[0]} ${value} add`,
  },
};
