import { describe, expect, it } from 'vitest';
import { local } from './local';
import type { FlowBoard } from './view';

const [TILE_SET, VERSION, BOAT_EDGES, CELLS] = [11, 13, 27, 136];
const STRAIGHT_NS = 1;
/** By cell: a tile, as the array has it. Water from a1 runs only into b2, beside c2. */
const TILES = { b1: 6, a2: 4, b3: STRAIGHT_NS, c2: STRAIGHT_NS };

function toGo(version: number, tileSet: number): FlowBoard['animals'][number] {
  const state = Array<number>(250).fill(0);
  state[TILE_SET] = tileSet;
  state[VERSION] = version;
  state[BOAT_EDGES] = 15;
  for (const [name, tile] of Object.entries(TILES))
    state[CELLS + 'abcdefg'.indexOf(name[0]!) + 7 * (Number(name[1]) - 1)] = tile;
  return (local.view(state, {}, []).board as unknown as FlowBoard).animals[0]!;
}

describe('tiles to go', () => {
  it('counts no cell that no tile of the set fits, since version 3 of the rules (R4.4)', () => {
    expect(toGo(3, 0)).toMatchObject({ missing: null, missing_cells: [] });
    expect(toGo(3, 1)).toMatchObject({ missing: 3, missing_cells: ['b2', 'b4', 'c4'] });
    expect(toGo(2, 0)).toMatchObject({ missing: 3, missing_cells: ['b2', 'b4', 'c4'] });
  });
});
