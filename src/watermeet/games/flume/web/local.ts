// Flume without a server: what view.py sends, read from the state's array (layout.py).
import type { LocalGame } from '@watermeet/engine/localGames';

const [SIZE, RED_SEAT, CELLS] = [0, 4, 7];
const LETTERS = '.rb';
const NAMES = 'abcdefghijklmnopqrstuvwxyz';

export const local: LocalGame = {
  formatMove: (action, { size }) => {
    const side = Number(size);
    if (action === side * side) return 'swap';
    return `${NAMES[action % side]}${Math.floor(action / side) + 1}`;
  },
  view: (state, _, legal) => {
    const size = state[SIZE] ?? 0;
    const points = Array.from({ length: size * size }, (_, point) => point);
    const cellOf = (point: number): number =>
      CELLS + (Math.floor(point / size) + 1) * (size + 1) + 1 + (point % size);
    const stones = points.map((point) => LETTERS[state[cellOf(point)] ?? 0] ?? '.');
    const connections = points.map((point) => {
      const cell = cellOf(point);
      const around = [cell - 1, cell + 1, cell - size - 1, cell + size + 1];
      return state[cell] ? null : around.filter((one) => state[one]).length;
    });
    const count = (colour: string): number => stones.filter((stone) => stone === colour).length;
    const seats = [
      { label: 'Red', score: count('r') },
      { label: 'Blue', score: count('b') },
    ];
    if (state[RED_SEAT]) seats.reverse();
    const winner = seats.findIndex(({ score }) => 2 * score > size * size);
    const rows = points.slice(0, size).map((row) => stones.slice(row * size, (row + 1) * size));
    return {
      seats,
      board: {
        size,
        rows: rows.reverse().map((row) => row.join('')),
        connections,
        may_swap: legal.some(({ move }) => move === 'swap'),
        decided: winner < 0 ? null : winner,
      },
    };
  },
};
