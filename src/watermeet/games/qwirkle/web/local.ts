// Qwirkle without a server: what view.py sends, read from the state's array (layout.py).
import type { LocalGame, StateNumbers } from '@watermeet/engine/localGames';
import { COLOURS, linesBy, pointsBy, SHAPES } from './view';

const [SEATS, MOVER, COUNT, LAID, LAST, PASSES, EXCHANGES, BAG_LEFT] = [0, 5, 7, 8, 9, 10, 11, 12];
const [SCORES, HANDS, ASIDE, BAG, XS, YS, TILES] = [13, 25, 61, 67, 103, 211, 319];
const [HAND, KINDS, TILE_COUNT, SLOTS] = [6, 36, 108, 7];
const TRADE = SLOTS * (5 * TILE_COUNT + 1);
const [END, PASS] = [TRADE + SLOTS, TRADE + SLOTS + 1];
const [DRAW, FIRST_SEAT] = [PASS + 1, PASS + 1 + KINDS];
/** By direction: right, down, left, up. */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

export const local: LocalGame = {
  formatMove: (action, _, state) => {
    const hand = tilesAt(state, HANDS + HAND * (state[MOVER] ?? 0));
    if (action < TRADE)
      return `${hand[action % SLOTS]}@${cellAt(state, Math.floor(action / SLOTS)).join()}`;
    if (action < END) return `trade:${hand[action - TRADE]}`;
    if (action < DRAW) return action === END ? 'end' : 'pass';
    if (action < FIRST_SEAT) return `draw:${tileName(action - DRAW)}`;
    return `first:${action - FIRST_SEAT}`;
  },
  view: (state, { counts }) => {
    const [count, laid, last] = [state[COUNT] ?? 0, state[LAID] ?? 0, state[LAST] ?? 0];
    const tiles = Array.from({ length: count }, (_, tile) => ({
      x: state[XS + tile] ?? 0,
      y: state[YS + tile] ?? 0,
      tile: tileName((state[TILES + tile] ?? 0) - 1),
    }));
    const cells = tiles.map(({ x, y }): [number, number] => [x, y]);
    const placed = cells.slice(count - laid);
    const kinds = Array.from({ length: KINDS }, (_, kind) => kind);
    return {
      seats: Array.from({ length: state[SEATS] ?? 0 }, (_, seat) => ({
        label: `Player ${seat + 1}`,
        score: 100 * (state[SCORES + 2 * seat] ?? 0) + (state[SCORES + 2 * seat + 1] ?? 0),
        hand: tilesAt(state, HANDS + HAND * seat),
      })),
      board: {
        tiles,
        laid: placed,
        last: cells.slice(count - laid - last, count - laid),
        preview: laid ? pointsBy(linesBy(tiles, placed), placed) : null,
        aside: tilesAt(state, ASIDE),
        bag: state[BAG_LEFT],
        passes: state[PASSES],
        exchanges: state[EXCHANGES],
        unseen: counts
          ? Object.fromEntries(kinds.map((kind) => [tileName(kind), state[BAG + kind]]))
          : null,
      },
    };
  },
};

/** The two letters of a kind; below 0 it is hidden. */
function tileName(kind: number): string {
  return kind < 0 ? '??' : `${COLOURS[Math.floor(kind / 6)]}${SHAPES[kind % 6]}`;
}

/** The tiles in the six slots from `first`. */
function tilesAt(state: StateNumbers, first: number): string[] {
  return state.slice(first, first + HAND).flatMap((tile) => (tile ? [tileName(tile - 1)] : []));
}

/** The cell with this number, next to the first tile that it touches. */
function cellAt(state: StateNumbers, number: number): [number, number] {
  if (!state[COUNT]) return [0, 0];
  const tile = Math.floor(number / 4);
  const [right, down] = STEPS[number % 4]!;
  return [(state[XS + tile] ?? 0) + right, (state[YS + tile] ?? 0) + down];
}
