// Flecks without a server: what view.py sends, read from the state's array (layout.py, board.py).
import type { LocalGame, StateNumbers } from '@watermeet/engine/localGames';
import { cellName, cellsOf, key, neighbour, WAY_NAMES, type Axial } from '@watermeet/board/hexagon';

const [SIDE, MUST_PLACE, COLOUR, OPENING, LAST, IDLE, WINNER, CELLS] = [0, 2, 5, 6, 7, 8, 9, 10];
/** What a cell beyond the rim holds: EDGE with a colour, and FAR at a colour's second border. */
const [COLOURS, EDGE, FAR] = [3, 4, 8];
const LETTERS = ['', 'r', 'b'] as const;
const [RED, BLUE] = [1, 2];

export const local: LocalGame = {
  formatMove: (action, { size }) => {
    const side = Number(size);
    const cells = cellsOf(side);
    const row = action - cells.length;
    if (row < 0) return cellName(cells[action]!, side);
    const rear = cells[Math.floor(row / (side - 1) / 6)];
    if (!rear) return 'stop';
    const way = WAY_NAMES[Math.floor(row / (side - 1)) % 6];
    return `${cellName(rear, side)}-${way}${(row % (side - 1)) + 1}`;
  },
  view: (state, { border }) => {
    const side = state[SIDE] ?? 0;
    const cells = cellsOf(side);
    const stones = cells.map((cell) => at(state, cell));
    const count = (colour: number): number => stones.filter((stone) => stone === colour).length;
    const left = state[OPENING] ?? 0;
    const last = state[LAST] ?? 0;
    const [row, column] = [
      Math.floor((last - CELLS) / (2 * side + 1)),
      (last - CELLS) % (2 * side + 1),
    ];
    return {
      seats: [
        { label: 'Red', score: null, stones: count(RED) },
        { label: 'Blue', score: null, stones: count(BLUE) },
      ],
      board: {
        size: side,
        border,
        cells: cells.map((cell, number) => ({
          ...cell,
          name: cellName(cell, side),
          stone: LETTERS[stones[number]!],
          borders: [RED, BLUE]
            .filter((colour) => touches(state, cell, colour).some(Boolean))
            .map((colour) => LETTERS[colour])
            .join(''),
        })),
        turn: LETTERS[state[COLOUR] ?? 0],
        due: due(state),
        opening_left: [Math.floor(left / 2), left - Math.floor(left / 2)],
        last_added: last ? cellName({ q: column - side, r: row - side }, side) : null,
        idle: state[IDLE],
        chain: chain(state, cells).map((cell) => cellName(cell, side)),
      },
    };
  },
};

function at(state: StateNumbers, { q, r }: Axial): number {
  const side = state[SIDE] ?? 0;
  return state[CELLS + (r + side) * (2 * side + 1) + q + side] ?? 0;
}

/** Whether a cell touches the first and the second border of a colour. */
function touches(state: StateNumbers, cell: Axial, colour: number): [boolean, boolean] {
  const edges = WAY_NAMES.map((_, way) => at(state, neighbour(cell, way))).filter(
    (content) => content & EDGE && (content & COLOURS) === colour,
  );
  return [edges.some((edge) => !(edge & FAR)), edges.some((edge) => edge & FAR)];
}

function due(state: StateNumbers): string {
  if (state[WINNER]) return 'nothing';
  if (state[OPENING]) return 'opening';
  if (state[LAST]) return 'move';
  return !state[MUST_PLACE] && state[IDLE]! < state[SIDE]! ? 'either' : 'add';
}

/** The shortest chain of whoever has won. */
function chain(state: StateNumbers, cells: Axial[]): Axial[] {
  const winner = state[WINNER];
  if (!winner) return [];
  const own = cells.filter((cell) => at(state, cell) === winner);
  const free = new Map(own.map((cell) => [key(cell), cell]));
  const paths = own.filter((cell) => touches(state, cell, winner)[0]).map((cell) => [cell]);
  for (const [cell] of paths) free.delete(key(cell!));
  for (const path of paths) {
    const end = path.at(-1)!; // The list grows: breadth first.
    if (touches(state, end, winner)[1]) return path;
    for (let way = 0; way < 6; way++) {
      const near = free.get(key(neighbour(end, way)));
      if (near && free.delete(key(near))) paths.push([...path, near]);
    }
  }
  return [];
}
