// Flow without a server: what view.py sends, read from the state's array (layout.py).
import type { LocalGame, StateNumbers } from '@watermeet/engine/localGames';
import { edgesNamed } from './view';

const SIZE = 7;
const COUNT = SIZE * SIZE;
const BOAT = 24;
const ANIMALS = [
  { name: 'cat', cell: 0, edges: 'NE' },
  { name: 'dog', cell: SIZE - 1, edges: 'NW' },
  { name: 'capybara', cell: COUNT - SIZE, edges: 'ES' },
  { name: 'lemur', cell: COUNT - 1, edges: 'SW' },
] as const;
const KINDS = ['straight', 'bend', 'cross', 'obstacle', 'tee'];
const CARDS = ['support', 'bird', 'current', 'fishing', 'calm', 'return'];
const SCENARIOS =
  'obstacles silence one_card no_new_cards not_for_obstacles single_path obstacles_remain'.split(
    ' ',
  );
const DUE =
  'scenario obstacle deal draw card fish white black boat turn lay carry die nothing'.split(' ');
const EDGES = 'NESW';
const PIPS = [...'123456'];
const SHAPES = 15;
const KIND_OF_SHAPE = [0, 0, 1, 1, 1, 1, 2, 3, 3, 3, 3, 4, 4, 4, 4];

// The array.
const [SEATS, IN_PLAY, CLOCK] = [0, 2, 2 + SCENARIOS.length];
const [TURNS, TILE_SET, BOAT_STOPS] = [CLOCK + 1, CLOCK + 2, CLOCK + 3];
const [VERSION, STAGE] = [CLOCK + 4, CLOCK + 5];
const [MOVER, TURNS_DONE, TIME_UP] = [STAGE + 1, STAGE + 2, STAGE + 3];
const [CARD_PLAYED, CALM, DICE, WHITE] = [STAGE + 4, STAGE + 5, STAGE + 7, STAGE + 8];
const [TILE, LIFTED_FROM, LIFTED_BIRD] = [STAGE + 9, STAGE + 10, STAGE + 11];
const [BOAT_EDGES, BIRDS_LEFT, WON] = [STAGE + 13, STAGE + 14, STAGE + 15];
const FACE_DOWN = STAGE + 16 + SCENARIOS.length;
const [FACE_UP, DISCARDED] = [FACE_DOWN + KINDS.length, FACE_DOWN + 2 * KINDS.length];
const PILE = DISCARDED + KINDS.length;
const HANDS = PILE + CARDS.length;
const HIDDEN = HANDS + 6 * CARDS.length;
const CELLS = HIDDEN + 6 + 6 * CARDS.length;
const WET = CELLS + COUNT + 7;
const [SCENARIO_TILE, BIRD_ON] = [1 + SHAPES, 32];
const [DRAW_SCENARIO, LAY_OBSTACLE, FINISHED] = [0, 1, 13];

/** Actions in the order of their numbers: a word, and what may follow it. */
const ACTIONS: [word: string, names: readonly string[]][] = [
  ['X', points()],
  ['support', points()],
  ['bird', points()],
  ['current', points()],
  ['draw', ['']],
  ['take', KINDS],
  ['fishing', ['']],
  ['calm', ['']],
  ['return', KINDS],
  ['swap', ['']],
  ['discard', ['']],
  ['time', ['']],
  ['roll', ['white', 'black']],
  ['boat', [...EDGES]],
  ['tile', KINDS],
  ['card', CARDS],
  ['white', PIPS],
  ['black', PIPS],
  ['scenario', SCENARIOS],
  ['obstacle', points()],
];
const NAMES = ACTIONS.flatMap(([word, names]) =>
  names.map((name) => (word === 'X' ? `X@${name}` : name ? `${word}:${name}` : word)),
);

export const local: LocalGame = {
  formatMove: (action) => {
    if (action >= SHAPES * COUNT) return NAMES[action - SHAPES * COUNT] ?? '';
    return `${shapeEdges(action % SHAPES)}@${pointName(Math.floor(action / SHAPES))}`;
  },
  view: (state) => {
    const stage = state[STAGE] ?? 0;
    const lifted = state[LIFTED_FROM] ?? 0;
    const counts = (first: number, names: string[]): Record<string, number> =>
      Object.fromEntries(names.map((name, place) => [name, state[first + place] ?? 0]));
    const sum = (numbers: StateNumbers): number => numbers.reduce((all, one) => all + one, 0);
    const down = counts(FACE_DOWN, KINDS);
    const inPlay = Object.entries(counts(IN_PLAY, SCENARIOS)).filter(([, count]) => count);
    const boat = edgeLetters(state[BOAT_EDGES] ?? 0);
    const hasNoMover = [DRAW_SCENARIO, LAY_OBSTACLE, FINISHED].includes(stage);
    return {
      seats: Array.from({ length: state[SEATS] ?? 0 }, (_, seat) => ({
        label: `Player ${seat + 1}`,
        score: null,
        hand: handOf(state, seat),
      })),
      board: {
        cells: Array.from({ length: COUNT }, (_, cell) => cellView(state, cell)),
        animals: animalsOf(state),
        boat: { cell: pointName(BOAT), edges: boat },
        due: DUE[stage],
        mover: hasNoMover ? null : state[MOVER],
        won: stage === FINISHED ? Boolean(state[WON]) : null,
        tile: tileInHand(state[TILE] ?? 0),
        lifted_from: lifted ? pointName(lifted - 1) : null,
        lifted_bird: Boolean(state[LIFTED_BIRD]),
        clock: ['turns', 'minute', 'free'][state[CLOCK] ?? 0],
        turns_left: state[CLOCK] ? null : (state[TURNS] ?? 0) - (state[TURNS_DONE] ?? 0),
        time_up: Boolean(state[TIME_UP]),
        calm: Boolean(state[CALM]),
        card_played: Boolean(state[CARD_PLAYED]),
        dice: {
          rolled: [null, 'white', 'black', 'both'][state[DICE] ?? 0],
          white: state[WHITE] || null,
        },
        tiles: { down, up: counts(FACE_UP, KINDS), discarded: counts(DISCARDED, KINDS) },
        face_down: sum(Object.values(down)),
        pile: sum(state.slice(PILE, HANDS)) - sum(state.slice(HIDDEN, HIDDEN + 6)),
        unseen_cards: counts(PILE, CARDS),
        birds_left: state[BIRDS_LEFT],
        scenarios: Object.fromEntries(inPlay),
      },
    };
  },
};

function points(): string[] {
  return Array.from({ length: COUNT }, (_, cell) => pointName(cell));
}

function pointName(cell: number): string {
  return `${'abcdefg'[cell % SIZE]}${Math.floor(cell / SIZE) + 1}`;
}

function shapeEdges(shape: number): string {
  return edgesNamed(String.fromCharCode(97 + shape));
}

function edgeLetters(bits: number): string {
  return [...EDGES].filter((_, edge) => (bits >> edge) & 1).join('');
}

function tileInHand(tile: number): string | null {
  if (!tile) return null;
  return tile === SCENARIO_TILE ? 'scenario' : (KINDS[tile - 1] ?? null);
}

function handOf(state: StateNumbers, seat: number): string[] {
  const counts = state.slice(HANDS + seat * CARDS.length, HANDS + (seat + 1) * CARDS.length);
  const known = counts.flatMap((count, card) => Array<string>(count).fill(CARDS[card]!));
  return [...known, ...Array<string>(state[HIDDEN + seat] ?? 0).fill('?')];
}

/** The open edges of a tile, an animal's space or the boat; null for an empty cell. */
function openEdges(state: StateNumbers, cell: number): string | null {
  if (cell === BOAT) return edgeLetters(state[BOAT_EDGES] ?? 0);
  const animal = ANIMALS.find((one) => one.cell === cell);
  if (animal) return animal.edges;
  const tile = (state[CELLS + cell] ?? 0) % BIRD_ON;
  if (!tile) return null;
  return tile === SCENARIO_TILE ? '' : shapeEdges(tile - 1);
}

function cellView(state: StateNumbers, cell: number): Record<string, unknown> {
  const content = state[CELLS + cell] ?? 0;
  const tile = content % BIRD_ON;
  const isScenario = tile === SCENARIO_TILE;
  return {
    name: pointName(cell),
    column: cell % SIZE,
    row: Math.floor(cell / SIZE),
    tile: tile && !isScenario ? KINDS[KIND_OF_SHAPE[tile - 1]!] : null,
    edges: openEdges(state, cell) ?? '',
    bird: content >= BIRD_ON,
    wet: Math.floor((state[WET] ?? 0) / 2 ** cell) % 2 === 1, // More bits than operators take.
    scenario: isScenario,
  };
}

// ---- paths of water ----

/** The board as a graph, as paths.py has it. */
interface Water {
  /** By cell: its neighbours across edges that are open on both sides, each after its edge. */
  beside: [edge: number, other: number][][];
  /** By empty cell: the tiles of kinds in the set that would fit there, by their edges. */
  empty: Map<number, string[]>;
  /** Where water ends. */
  isEnd: boolean[];
}

const STEPS = [SIZE, 1, -SIZE, -1];
/** Where water comes in at the cell that it starts from. */
const INSIDE = -1;
/** By tile set: the kinds through which water runs. */
const JOINING = [KINDS.slice(0, 3), [...KINDS.slice(0, 3), 'tee'], KINDS.slice(0, 3)];

function neighbours(cell: number): [edge: number, other: number][] {
  return STEPS.flatMap((step, edge): [number, number][] => {
    const other = cell + step;
    const isSameLine = edge % 2 === 0 || Math.floor(other / SIZE) === Math.floor(cell / SIZE);
    return isSameLine && other >= 0 && other < COUNT ? [[edge, other]] : [];
  });
}

function back(edge: number): number {
  return (edge + 2) % 4;
}

function waterOf(state: StateNumbers): Water {
  const open = Array.from({ length: COUNT }, (_, cell) => openEdges(state, cell));
  const isOpen = (cell: number, edge: number): boolean =>
    (open[cell] ?? EDGES).includes(EDGES[edge]!);
  const fixed = new Set([BOAT, ...ANIMALS.map(({ cell }) => cell)]);
  const tileIn = (cell: number): number => (state[CELLS + cell] ?? 0) % BIRD_ON;
  const isObstacle = (cell: number): boolean =>
    KINDS[KIND_OF_SHAPE[tileIn(cell) - 1] ?? -1] === 'obstacle';
  const kinds = JOINING[state[TILE_SET] ?? 0];
  const shapes = KIND_OF_SHAPE.flatMap((kind, shape) =>
    kinds?.includes(KINDS[kind]!) ? [shapeEdges(shape)] : [],
  );
  // R4.3. Up to version 2 of the rules, water could cross every empty cell.
  const fits = (cell: number, shape: string): boolean =>
    (state[VERSION] ?? 0) < 3 ||
    neighbours(cell).every(
      ([edge, other]) =>
        open[other] === null ||
        tileIn(other) === SCENARIO_TILE ||
        shape.includes(EDGES[edge]!) === isOpen(other, back(edge)),
    );
  const empty = new Map<number, string[]>();
  open.forEach((edges, cell) => {
    if (edges === null)
      empty.set(
        cell,
        shapes.filter((shape) => fits(cell, shape)),
      );
  });
  return {
    beside: open.map((_, cell) =>
      neighbours(cell).filter(([edge, other]) => isOpen(cell, edge) && isOpen(other, back(edge))),
    ),
    empty,
    isEnd: open.map((_, cell) => (fixed.has(cell) ? Boolean(state[BOAT_STOPS]) : isObstacle(cell))),
  };
}

/** Whether water could run through an empty cell from one edge to another. */
function crosses({ empty }: Water, cell: number, one: number, other: number): boolean {
  const both = [one, other].map((edge) => EDGES[edge] ?? '?');
  return (
    one !== other && empty.get(cell)!.some((shape) => both.every((edge) => shape.includes(edge)))
  );
}

function animalsOf(state: StateNumbers): Record<string, unknown>[] {
  const water = waterOf(state);
  const fromBoat = costs(water, BOAT);
  return ANIMALS.map(({ name, cell }) => {
    const found = EDGE_NUMBERS.map((edge) => fromBoat.get(placeOf(cell, edge)) ?? Infinity);
    const missing = Math.min(...found);
    const path = missing === 0 ? shortestPath(water, cell) : [];
    const own = missing === 0 ? new Map<number, number>() : costs(water, cell);
    // Both costs include the cell itself.
    const isOnWay = (each: number): boolean =>
      EDGE_NUMBERS.some((one) =>
        EDGE_NUMBERS.some(
          (other) =>
            crosses(water, each, one, other) &&
            own.get(placeOf(each, one))! + fromBoat.get(placeOf(each, other))! === missing + 1,
        ),
      );
    const cells = [...water.empty.keys()].filter((each) => isOnWay(each));
    return {
      name,
      cell: pointName(cell),
      connected: missing === 0,
      path: path.map(pointName),
      missing: missing === Infinity ? null : missing,
      missing_cells: cells.sort((one, other) => one - other).map(pointName),
    };
  });
}

const EDGE_NUMBERS = [0, 1, 2, 3];

/** A number for a cell and the edge where water comes in. */
function placeOf(cell: number, edge: number): number {
  return 5 * cell + edge + 1;
}

/** By place that water reaches: the fewest empty cells until there, itself included. */
function costs(water: Water, start: number): Map<number, number> {
  const found = new Map([[placeOf(start, INSIDE), 0]]);
  const queue: [cell: number, cameIn: number][] = [[start, INSIDE]];
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    const [cell, cameIn] = place;
    if (water.isEnd[cell] && cell !== start) continue;
    for (const [edge, other] of water.beside[cell]!) {
      if (water.empty.has(cell) && !crosses(water, cell, cameIn, edge)) continue;
      const step = water.empty.has(other) ? 1 : 0;
      const cost = found.get(placeOf(cell, cameIn))! + step;
      const entered = placeOf(other, back(edge));
      if (cost >= (found.get(entered) ?? Infinity)) continue;
      found.set(entered, cost);
      if (step) queue.push([other, back(edge)]);
      else queue.unshift([other, back(edge)]);
    }
  }
  return found;
}

/** The shortest path from an animal to the boat over placed tiles. */
function shortestPath({ beside, empty, isEnd }: Water, animal: number): number[] {
  const seen = new Set([animal]);
  const paths = [[animal]];
  for (const path of paths) {
    const cell = path.at(-1)!; // The list grows: breadth first.
    if (cell === BOAT) return path;
    if (isEnd[cell] && cell !== animal) continue;
    for (const [, other] of beside[cell]!) {
      if (empty.has(other) || seen.has(other)) continue;
      seen.add(other);
      paths.push([...path, other]);
    }
  }
  return [];
}
