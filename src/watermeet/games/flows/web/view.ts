// What is in a view of Flows, and how its tiles and strands are drawn.
import type { Shortcut } from '@watermeet/board/gameModule';
import type { Board as FlowsBoard, Seat, StrandView as Strand } from './viewTypes';
import type { View } from '@watermeet/api/wire';
import { centre, type Place } from '@watermeet/board/hexagon';

export type { Board as FlowsBoard, Cell, StrandView as Strand } from './viewTypes';
export type Step = Strand['steps'][number];

export const FILLS = [1, 2, 3, 4, 5, 6].map((seat) => `var(--player-${seat})`);
/** By seat: dashes of the light line within a strand, so that colour is not needed. */
export const DASHES = ['none', '0', '2 13', '9 9', '18 5 2 5', '3 5'];
/** Which edges the strands of each type join, before it is turned: tiles.py has the same table. */
const STRANDS: Record<string, [number, number][]> = {
  T0: [
    [0, 2],
    [1, 4],
    [3, 5],
  ],
  T1: [
    [0, 5],
    [1, 3],
    [2, 4],
  ],
  T2: [
    [0, 5],
    [1, 4],
    [2, 3],
  ],
  T3: [
    [0, 5],
    [1, 2],
    [3, 4],
  ],
};

export const boardOf = (view: View): FlowsBoard => view.board as FlowsBoard;
export const seatOf = (view: View, seat: number): Seat | undefined =>
  view.seats[seat] as Seat | undefined;

/** The tile that a seat is to lay: `T0` to `T3`, `??` if it is not to be seen. */
export function tileOf(view: View, seat: number): string | null {
  return seatOf(view, seat)?.tile ?? null;
}

/** A move's parts: `T1.2@d4` is a cell and a turned tile; sides are one part. */
export function split(move: string): string[] {
  const found = /^(T\d\.\d)([@x])([a-z]\d+)$/.exec(move);
  return found ? [found[3]!, found[1]!] : [move];
}

/** The middle of an edge: 0 lies in the south-west, the others follow clockwise. */
export function edgeMiddle(edge: number, size: number, at: Place = { x: 0, y: 0 }): Place {
  const angle = (Math.PI / 180) * (120 + 60 * edge);
  const far = (size * Math.sqrt(3)) / 2;
  return { x: at.x + far * Math.cos(angle), y: at.y + far * Math.sin(angle) };
}

const round = (value: number): string => (Math.round(value * 100) / 100).toString();

/** The way through one cell, from where the path has got to. */
function piece(at: Place, enter: number, leave: number, size: number): string {
  const to = edgeMiddle(leave, size, at);
  const turn = (leave - enter + 6) % 6;
  if (turn === 3) return `L${round(to.x)} ${round(to.y)}`;
  const radius = round(size * (turn === 1 || turn === 5 ? 0.5 : 1.5));
  return `A${radius} ${radius} 0 0 ${turn < 3 ? 0 : 1} ${round(to.x)} ${round(to.y)}`;
}

/** The path of a strand over the board. */
export function strandPath(steps: Step[], places: Map<string, Place>, size: number): string {
  const [first] = steps;
  const start = first ? places.get(first[0]) : undefined;
  if (!first || !start) return '';
  const from = edgeMiddle(first[1], size, start);
  const way = steps.map(([cell, enter, leave]) =>
    piece(places.get(cell) ?? start, enter, leave, size),
  );
  return `M${round(from.x)} ${round(from.y)}${way.join('')}`;
}

/** Which edges the strands of a turned tile such as `T1.2` join. */
export function pairsOf(tile: string): [number, number][] {
  const [kind = '', turns = '0'] = tile.split('.');
  return (STRANDS[kind] ?? []).map(([a, b]) => [(a + Number(turns)) % 6, (b + Number(turns)) % 6]);
}

/** The turned tiles by their letters in texts of positions, `a` to `n`, as notation.py has them. */
const TURNED = [3, 6, 3, 2].flatMap((count, kind) =>
  Array.from({ length: count }, (_, turns) => `T${kind}.${turns}`),
);
export const tileNamed = (letter: string): string => TURNED[letter.charCodeAt(0) - 97] ?? '??';

/** The steps of a strand, from the side that owns it. */
export function fromOwner(strand: Strand, board: FlowsBoard): Step[] {
  const owned = (end: Strand['ends'][number] | undefined): boolean =>
    end?.kind === 'rim' &&
    board.sides.some(
      (one) => one.side === end.side && one.seat !== null && one.seat === strand.owners[0],
    );
  if (owned(strand.ends[0]) || !owned(strand.ends[1])) return strand.steps;
  return strand.steps.map(([cell, enter, leave]): Step => [cell, leave, enter]).reverse();
}

/** The sides that players have to reach and nobody plays from, each with the player's seat. */
export function goalsOf(board: FlowsBoard): Map<number, number> {
  const found = new Map<number, number>();
  for (const { side, seat } of board.sides) {
    const opposite = board.sides.find((one) => one.side === (side + 3) % 6);
    if (seat !== null && opposite?.seat === null) found.set(opposite.side, seat);
  }
  return found;
}

/** A name that fits beside a side. */
export function shortName(name: string): string {
  const letters = [...name];
  return letters.length > 11 ? `${letters.slice(0, 10).join('')}…` : name;
}

/** A change in how many tiles a team has to go. */
export interface Change {
  seats: number[];
  from: number;
  to: number;
}

/** What has changed from one board to the next. */
export function changesBy(before: FlowsBoard, after: FlowsBoard): Change[] {
  return after.teams.flatMap((team, number) => {
    const from = before.teams[number]?.tiles_to_go ?? null;
    const to = team.tiles_to_go;
    return from === null || to === null || from === to ? [] : [{ seats: team.seats, from, to }];
  });
}

/** Whether a player's strand has two ends at the rim and connects nothing: it leads nowhere. */
export function isClosed(strand: Strand): boolean {
  return strand.owners.length > 0 && !strand.wins && strand.ends.every((end) => end.kind === 'rim');
}

/** The middle of a side of the whole board, where its letter is; `reach` is how far its corners are. */
export function sideMiddle(side: number, reach: number, size: number): Place {
  const angle = (Math.PI / 180) * (90 + 60 * side);
  const far = (reach * Math.sqrt(3)) / 2 - size * 0.42;
  return { x: far * Math.cos(angle), y: far * Math.sin(angle) };
}

/** The three strands of a turned tile such as `T1.2`, around the origin. */
export function tilePaths(tile: string, size: number): string[] {
  return pairsOf(tile).map(([enter, leave]) => {
    const from = edgeMiddle(enter, size);
    return `M${round(from.x)} ${round(from.y)}${piece({ x: 0, y: 0 }, enter, leave, size)}`;
  });
}

export function placesOf(board: FlowsBoard, size: number): Map<string, Place> {
  return new Map(board.cells.map((cell) => [cell.name, centre(cell, size)]));
}

/** Where a strand ends that starts with these steps. */
export function endOf(steps: Step[], places: Map<string, Place>, size: number): Place | null {
  const [cell, , leave] = steps.at(-1) ?? [];
  const at = cell === undefined ? undefined : places.get(cell);
  return at && leave !== undefined ? edgeMiddle(leave, size, at) : null;
}

/** The cell of a move's text; null if it has none. */
export function cellOf(move: string): string | null {
  return /^T\d\.\d[@x]([a-z]\d+)$/.exec(move)?.[1] ?? null;
}

/** How many ways a type can lie that differ: tiles.py has the same. */
export const ROTATIONS: Record<string, number> = { T0: 3, T1: 6, T2: 3, T3: 2 };

/** The game's own keyboard shortcuts. */
export const SHORTCUTS: Shortcut[] = [
  ['R', 'rotate'],
  ['O', 'routes'],
];
