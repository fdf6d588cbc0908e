// Flows without a server: what view.py sends, read from the state's array (layout.py). A port is an edge
// of a cell, 6 * cell + edge; an end is a port or an edge of the rim, which are numbered after the ports.
import type { LocalGame, StateNumbers } from '@watermeet/engine/localGames';
import { cellName, cellsOf, key, neighbour, type Axial } from '@watermeet/board/hexagon';
import { pairsOf, tileNamed, type Step } from './view';

const [SEATS, SUPERMOVE, RADIUS, STAGE] = [0, 5, 7, 12];
const [MOVER, TURN_SIDE, TILE, EXCHANGES] = [STAGE + 1, STAGE + 2, STAGE + 4, STAGE + 6];
const [WINNERS, BY_ROUTE, SIDE_OF, HELD] = [STAGE + 7, STAGE + 8, STAGE + 9, STAGE + 15];
const [BAG, CELLS] = [STAGE + 27, STAGE + 31];
const [EDGES, SIDES, AXES, TYPES, ORIENTATIONS, MAX_SEATS] = [6, 6, 3, 4, 14, 6];
const DUE = ['lot', 'side', 'draw', 'draw', 'place', 'place', 'nothing'];
const [LOT, DRAW, FOLLOW, FINISHED] = [0, 3, 5, 6];
const UNKNOWN = 1 + TYPES;
const LABELS = ['Red', 'Blue', 'Yellow', 'Green', 'Purple', 'Orange'];
/** The turned tiles, such as `T1.2`, by the number of their orientation. */
const TURNED = [...'abcdefghijklmn'].map(tileNamed);
/** By orientation and edge: the edge at the other end of the strand. */
const MATES = TURNED.map((tile) => {
  const pairs = pairsOf(tile);
  return Array.from({ length: EDGES }, (_, edge) => {
    const [a = 0, b = 0] = pairs.find((pair) => pair.includes(edge)) ?? [];
    return a + b - edge;
  });
});
/** The two edges of every pair, by its number. */
const PAIRS = Array.from({ length: EDGES }, (_, low) =>
  Array.from({ length: EDGES - 1 - low }, (_, more): [number, number] => [low, low + 1 + more]),
).flat();

export const local: LocalGame = {
  formatMove: (action, { radius, supermove }) => {
    const side = Number(radius) + 1;
    const cells = cellsOf(side);
    const placements = ORIENTATIONS * cells.length;
    const drawn = action - placements * (supermove === 'off' ? 1 : 2);
    if (drawn < 0) {
      const cell = cells[Math.floor((action % placements) / ORIENTATIONS)]!;
      const mark = action < placements ? '@' : 'x';
      return `${TURNED[action % ORIENTATIONS]}${mark}${cellName(cell, side)}`;
    }
    if (drawn < TYPES) return `draw:T${drawn}`;
    const seat = drawn - TYPES;
    return seat < MAX_SEATS ? `first:${seat}` : `side:${seat - MAX_SEATS}`;
  },
  view: (state) => new Board(state).view(),
};

type End =
  { kind: 'rim'; side: number; place: number } | { kind: 'open'; cell: number; edge: number };

class Board {
  readonly #state: StateNumbers;
  readonly #radius: number;
  readonly #cells: Axial[];
  readonly #names: string[];
  readonly #ports: number;
  /** By end: the other one, before any tile is placed. */
  readonly #empty: number[];
  readonly #stage: number;
  /** By side: who plays from there. */
  readonly #seats = new Map<number, number>();

  constructor(state: StateNumbers) {
    this.#state = state;
    this.#radius = state[RADIUS] ?? 0;
    this.#cells = cellsOf(this.#radius + 1);
    this.#names = this.#cells.map((cell) => cellName(cell, this.#radius + 1));
    this.#ports = EDGES * this.#cells.length;
    this.#empty = this.#emptyBoard();
    this.#stage = state[STAGE] ?? 0;
    for (let seat = 0; seat < (state[SEATS] ?? 0); seat++) {
      const side = this.#sideOf(seat);
      if (side !== null) this.#seats.set(side, seat);
    }
  }

  view(): ReturnType<LocalGame['view']> {
    const state = this.#state;
    const isTurn = this.#stage >= DRAW && this.#stage <= FOLLOW;
    const winners = [...this.#seats].flatMap(([side, seat]) => (this.#hasWon(side) ? [seat] : []));
    const wonBy = state[BY_ROUTE] ? 'route' : 'tile';
    const types = Array.from({ length: TYPES }, (_, kind) => kind);
    return {
      seats: Array.from({ length: state[SEATS] ?? 0 }, (_, seat) => this.#seat(seat)),
      board: {
        radius: this.#radius,
        due: DUE[this.#stage],
        mover: [LOT, FINISHED].includes(this.#stage) ? null : state[MOVER],
        turn_side: isTurn ? state[TURN_SIDE] : null,
        is_follow_up: this.#stage === FOLLOW,
        cells: this.#cells.map((cell, number) => this.#cell(cell, number)),
        sides: Array.from({ length: SIDES }, (_, side) => ({
          side,
          seat: this.#seats.get(side) ?? null,
        })),
        teams: this.#teams(),
        strands: this.#strands(),
        witness: this.#witness(),
        bag: Object.fromEntries(types.map((kind) => [`T${kind}`, state[BAG + kind]])),
        exchanges: state[EXCHANGES],
        winners: winners.sort((one, other) => one - other),
        won_by: this.#stage === FINISHED ? wonBy : null,
      },
    };
  }

  // ---- seats and teams ----

  #sideOf(seat: number): number | null {
    const side = this.#state[SIDE_OF + seat] ?? 0;
    return side ? side - 1 : null;
  }

  #hasWon(side: number): boolean {
    return (((this.#state[WINNERS] ?? 0) >> (side % AXES)) & 1) === 1;
  }

  /** Two and three players play alone, which is all that a page without a server offers. */
  #seat(seat: number): ReturnType<LocalGame['view']>['seats'][number] {
    const own = seat === this.#state[MOVER] && this.#state[TILE];
    const tile = own || (this.#state[HELD + seat] ?? 0);
    const name = tile === UNKNOWN ? '??' : `T${tile - 1}`;
    return {
      label: LABELS[seat]!,
      letter: LABELS[seat]![0],
      score: null,
      side: this.#sideOf(seat),
      team: seat,
      partner: null,
      tile: tile ? name : null,
    };
  }

  #teams(): Record<string, unknown>[] {
    return Array.from({ length: this.#state[SEATS] ?? 0 }, (_, seat) => {
      const side = this.#sideOf(seat);
      const axis = side === null ? null : side % AXES;
      return {
        seats: [seat],
        label: LABELS[seat],
        axis,
        is_blocked: null,
        has_won: side !== null && this.#hasWon(side),
        ...(axis === null ? { tiles_to_go: null, shortest_route_cells: [] } : this.#toGo(axis)),
      };
    });
  }

  /** The fewest tiles that would connect an axis, and the cells where they may go, as distances.py. */
  #toGo(axis: number): { tiles_to_go: number | null; shortest_route_cells: string[] } {
    if (this.#strands().some(({ ends }) => isAcross(ends, axis)))
      return { tiles_to_go: 0, shortest_route_cells: [] };
    const [near, far] = [this.#countFrom(axis), this.#countFrom(axis + AXES)];
    const through = this.#cells.map((_, cell) =>
      near[cell] && far[cell] ? near[cell] + far[cell] - 1 : Infinity,
    );
    const least = Math.min(...through);
    if (least === Infinity) return { tiles_to_go: null, shortest_route_cells: [] };
    return {
      tiles_to_go: least,
      shortest_route_cells: this.#names.filter((_, cell) => through[cell] === least),
    };
  }

  /** By cell: how many tiles lead from a side to it, itself included; 0 if none can. */
  #countFrom(side: number): number[] {
    const length = 2 * this.#radius + 1;
    const counts = this.#cells.map(() => 0);
    const queue: number[] = [];
    const reach = (end: number, count: number): void => {
      const port = this.#state[CELLS + this.#cells.length + end] ?? 0;
      const cell = Math.floor(port / EDGES);
      if (port >= this.#ports || counts[cell]) return;
      counts[cell] = count;
      queue.push(cell);
    };
    for (let place = 0; place < length; place++) reach(this.#ports + side * length + place, 1);
    for (const cell of queue)
      for (let edge = 0; edge < EDGES; edge++) reach(EDGES * cell + edge, counts[cell]! + 1);
    return counts;
  }

  // ---- the board ----

  #orientation(cell: number): number | null {
    const content = this.#state[CELLS + cell] ?? 0;
    return content ? content - 1 : null;
  }

  #cell(cell: Axial, number: number): Record<string, unknown> {
    const orientation = this.#orientation(number);
    const [tile = null, turns] = orientation === null ? [] : TURNED[orientation]!.split('.');
    const rotation = turns === undefined ? null : Number(turns);
    return { ...cell, name: this.#names[number], tile, rotation, orientation };
  }

  /** All strands: first those from the rim, side by side; then those between empty cells; loops last. */
  #strands(): { steps: Step[]; ends: object[]; owners: number[]; wins: boolean }[] {
    const seen = new Set<number>();
    return this.#starts().flatMap(([start, port]) => {
      if (seen.has(port)) return [];
      const { steps, end } = this.#trace(port);
      const ends = start ? [start, end] : [];
      const sides = ends.flatMap((each) => (each.kind === 'rim' ? [each.side] : []));
      for (const [cell, enter, leave] of steps)
        seen.add(EDGES * cell + enter).add(EDGES * cell + leave);
      const owners = sides.flatMap((side) => this.#seats.get(side) ?? []);
      const axes = new Set([...this.#seats.keys()].map((side) => side % AXES));
      return [
        {
          steps: this.#named(steps),
          ends: ends.map((each) =>
            each.kind === 'rim' ? each : { ...each, cell: this.#names[each.cell] },
          ),
          owners: [...new Set(owners)],
          wins: [...axes].some((axis) => isAcross(ends, axis)),
        },
      ];
    });
  }

  /** Where strands can start: an end, and the port of a tile. */
  #starts(): [End | null, number][] {
    const rim = this.#empty
      .slice(this.#ports)
      .map((port, place): [End, number] => [this.#end(this.#ports + place), port])
      .filter(([, port]) => this.#orientation(Math.floor(port / EDGES)) !== null);
    const ports = Array.from({ length: this.#ports }, (_, port) => port).filter(
      (port) => this.#orientation(Math.floor(port / EDGES)) !== null,
    );
    const open = ports
      .map((port): [End, number] => [this.#end(this.#empty[port]!), port])
      .filter(([end]) => end.kind === 'open' && this.#orientation(end.cell) === null);
    return [...rim, ...open, ...ports.map((port): [null, number] => [null, port])];
  }

  #end(number: number): End {
    const length = 2 * this.#radius + 1;
    const place = number - this.#ports;
    return place < 0
      ? { kind: 'open', cell: Math.floor(number / EDGES), edge: number % EDGES }
      : { kind: 'rim', side: Math.floor(place / length), place: place % length };
  }

  /** Follows a strand from a port to its end, or once around a loop. */
  #trace(first: number): { steps: [number, number, number][]; end: End } {
    const steps: [number, number, number][] = [];
    for (let port = first; ;) {
      const [cell, enter] = [Math.floor(port / EDGES), port % EDGES];
      const leave = MATES[this.#orientation(cell) ?? 0]![enter]!;
      steps.push([cell, enter, leave]);
      port = this.#empty[EDGES * cell + leave]!;
      const end = this.#end(port);
      if (end.kind === 'rim' || this.#orientation(end.cell) === null || port === first)
        return { steps, end };
    }
  }

  #named(steps: [number, number, number][]): Step[] {
    return steps.map(([cell, enter, leave]): Step => [this.#names[cell]!, enter, leave]);
  }

  // ---- the witness ----

  /** By axis: a route; those of all players can be completed at the same time. */
  #witness(): Record<string, Step[]> | null {
    const state = this.#state;
    if (state[SUPERMOVE] || (this.#stage === FINISHED && state[BY_ROUTE])) return null;
    const count = this.#cells.length;
    const first = CELLS + count + this.#empty.length;
    if (!state[first + AXES * count]) return null;
    const routes = Array.from({ length: AXES }, (_, axis) => axis).flatMap((axis) => {
      const pairs = state.slice(first + axis * count, first + (axis + 1) * count);
      return pairs.some(Boolean) ? [[axis, this.#route(axis, pairs)] as const] : [];
    });
    return routes.length ? Object.fromEntries(routes) : null;
  }

  #route(axis: number, pairs: StateNumbers): Step[] {
    const length = 2 * this.#radius + 1;
    const start = this.#ports + axis * length;
    const found = this.#empty.slice(start, start + length).map((port) => this.#follow(pairs, port));
    return this.#named(found.find((steps) => steps.length) ?? []);
  }

  /** Follows tiles and, in empty cells, pairs to the rim; empty if no pair continues. */
  #follow(pairs: StateNumbers, first: number): [number, number, number][] {
    const steps: [number, number, number][] = [];
    let hasPair = false;
    for (let port = first; port < this.#ports;) {
      const [cell, enter] = [Math.floor(port / EDGES), port % EDGES];
      const orientation = this.#orientation(cell);
      const pair = PAIRS.find(
        (each, number) => ((pairs[cell] ?? 0) >> number) & 1 && each.includes(enter),
      );
      if (orientation === null && !pair) return [];
      hasPair ||= orientation === null;
      const leave =
        orientation === null ? pair![0] + pair![1] - enter : MATES[orientation]![enter]!;
      steps.push([cell, enter, leave]);
      port = this.#empty[EDGES * cell + leave]!;
    }
    return hasPair ? steps : [];
  }

  // ---- geometry, as board.py has it ----

  #emptyBoard(): number[] {
    const numbers = new Map(this.#cells.map((cell, number) => [key(cell), number]));
    const others: number[] = [];
    this.#cells.forEach((cell, number) => {
      for (let edge = 0; edge < EDGES; edge++) {
        const beyond = numbers.get(key(neighbour(cell, (edge + 2) % EDGES)));
        others[EDGES * number + edge] =
          beyond === undefined ? -1 : EDGES * beyond + ((edge + 3) % 6);
      }
    });
    let cell: Axial = { q: 0, r: this.#radius };
    for (let side = 0; side < SIDES; side++) {
      const corner = (edge: number): void => {
        const port = EDGES * numbers.get(key(cell))! + edge;
        others[port] = others.length;
        others.push(port);
      };
      for (let step = 0; step < this.#radius; step++) {
        corner((side + 5) % EDGES);
        corner(side);
        cell = neighbour(cell, (side + 3) % EDGES);
      }
      corner((side + 5) % EDGES);
    }
    return others;
  }
}

/** Whether two ends lie at the sides of an axis. */
function isAcross(ends: object[], axis: number): boolean {
  const sides = (ends as Partial<Extract<End, { kind: 'rim' }>>[]).map(({ side }) => side ?? -1);
  return sides.includes(axis) && sides.includes(axis + AXES);
}
