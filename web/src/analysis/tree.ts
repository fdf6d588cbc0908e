// A match with variations: an immutable tree of moves, what can be done to it, and its text. A node is
// the position after its move; of its children the first continues the main line. A path is the ids
// from the root's child down to a node.
import type { RecordTree } from '../api/wire';

export const SYMBOLS = ['!!', '!', '!?', '?!', '?', '??'] as const;
/** The width at which records are wrapped, as in Python. */
const WIDTH = 92;

export interface TreeNode {
  readonly id: number;
  /** Its notation; empty for the root. */
  readonly move: string;
  /** Who played it; null for chance. */
  readonly seat: number | null;
  /** The text of the position after it. */
  readonly position: string;
  /** The header `result` of a record that ends here; empty if the match isn't over. */
  readonly result: string;
  readonly comment: string;
  readonly symbol: string;
  readonly seconds: number | null;
  readonly children: readonly TreeNode[];
}

export type Path = readonly number[];
export type Step = Pick<TreeNode, 'move' | 'seat' | 'position' | 'result'>;

let count = 0;
const NOTHING = { comment: '', symbol: '', seconds: null, children: [] };

export function newNode(step: Step, more: Partial<TreeNode> = {}): TreeNode {
  const { move, seat, position, result } = step;
  return { ...NOTHING, move, seat, position, result, ...more, id: ++count };
}

/** The tree of a record that the server has read. */
export function rootOf({ nodes, position, result, comment }: RecordTree): TreeNode {
  const children = nodes.map((): number[] => []);
  const first: number[] = [];
  nodes.forEach(({ parent }, index) => (parent < 0 ? first : children[parent]!).push(index));
  const made: TreeNode[] = [];
  // Children come after their parents.
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index]!;
    const { comment: said, symbol, seconds } = node;
    const below = children[index]!.map((child) => made[child]!);
    made[index] = newNode(node, { comment: said, symbol, seconds, children: below });
  }
  const start = { move: '', seat: null, position, result };
  return newNode(start, { comment, children: first.map((child) => made[child]!) });
}

// ---- finding ----

/** The nodes from the root to the end of a path; a path that leaves the tree ends where it does. */
export function nodesOn(root: TreeNode, path: Path): TreeNode[] {
  const found = [root];
  for (const id of path) {
    const next = found.at(-1)!.children.find((child) => child.id === id);
    if (!next) break;
    found.push(next);
  }
  return found;
}

export const nodeAt = (root: TreeNode, path: Path): TreeNode => nodesOn(root, path).at(-1)!;

/** The path along the main line from a path on. */
export function mainFrom(root: TreeNode, path: Path): Path {
  const found = [...path];
  for (let node = nodeAt(root, path).children[0]; node; node = node.children[0])
    found.push(node.id);
  return found;
}

/** How many nodes there are below one. */
export const sizeOf = (node: TreeNode): number =>
  node.children.reduce((sum, child) => sum + 1 + sizeOf(child), 0);

/** The path to the same place in a tree with other ids, as far as it goes. */
export function pathBy(root: TreeNode, places: readonly number[]): Path {
  const found: number[] = [];
  let node = root;
  for (const place of places) {
    const next = node.children[place];
    if (!next) break;
    found.push(next.id);
    node = next;
  }
  return found;
}

/** The place of each node of a path among its siblings. */
export function placesOf(root: TreeNode, path: Path): number[] {
  const nodes = nodesOn(root, path);
  return nodes.slice(1).map((node, index) => nodes[index]!.children.indexOf(node));
}

// ---- changing ----

function change(root: TreeNode, path: Path, by: (node: TreeNode) => TreeNode): TreeNode {
  const [id, ...rest] = path;
  if (id === undefined) return by(root);
  return {
    ...root,
    children: root.children.map((child) => (child.id === id ? change(child, rest, by) : child)),
  };
}

/** The tree with a line added after a path, and the path to its end. Moves that are there stay. */
export function addLine(root: TreeNode, path: Path, steps: readonly Step[]): [TreeNode, Path] {
  let at = [...path];
  for (const step of steps) {
    const known = nodeAt(root, at).children.find(({ move }) => move === step.move);
    const node = known ?? newNode(step);
    if (!known)
      root = change(root, at, (parent) => ({ ...parent, children: [...parent.children, node] }));
    at = [...at, node.id];
  }
  return [root, at];
}

export const annotate = (
  root: TreeNode,
  path: Path,
  notes: Partial<Pick<TreeNode, 'comment' | 'symbol'>>,
): TreeNode => change(root, path, (node) => ({ ...node, ...notes }));

/** The tree without a node and what follows it. */
export function remove(root: TreeNode, path: Path): TreeNode {
  const id = path.at(-1);
  return change(root, path.slice(0, -1), (parent) => ({
    ...parent,
    children: parent.children.filter((child) => child.id !== id),
  }));
}

/** The last node of a path that isn't the first among its siblings, as a path; null on the main line. */
export function variationOf(root: TreeNode, path: Path): Path | null {
  const places = placesOf(root, path);
  const last = places.findLastIndex((place) => place > 0);
  return last < 0 ? null : path.slice(0, last + 1);
}

/** The tree with the variation of a path before its siblings. */
export function promote(root: TreeNode, path: Path): TreeNode {
  const begun = variationOf(root, path);
  if (!begun) return root;
  const id = begun.at(-1);
  return change(root, begun.slice(0, -1), (parent) => {
    const own = parent.children.find((child) => child.id === id);
    return own
      ? { ...parent, children: [own, ...parent.children.filter((child) => child !== own)] }
      : parent;
  });
}

/** The path of the next or previous sibling of the node, or of the nearest one before it with any. */
export function siblingOf(root: TreeNode, path: Path, by: 1 | -1): Path | null {
  const nodes = nodesOn(root, path);
  for (let depth = nodes.length - 1; depth > 0; depth--) {
    const { children } = nodes[depth - 1]!;
    if (children.length < 2) continue;
    const place = children.indexOf(nodes[depth]!) + by;
    const other = children[(place + children.length) % children.length]!;
    return [...path.slice(0, depth - 1), other.id];
  }
  return null;
}

// ---- text ----

interface Turn {
  number: number;
  mover: number | null;
}

const nextTurn = (before: Turn, seat: number | null): Turn =>
  seat === null || seat === before.mover ? before : { number: before.number + 1, mover: seat };

/** A comment as records can hold it: on one line, without braces. */
export const cleanComment = (text: string): string =>
  text.replaceAll('{', '(').replaceAll('}', ')').split(/\s+/).filter(Boolean).join(' ');

function wordsOf({ move, seat, seconds, symbol, comment }: TreeNode): string[] {
  const words = [seat === null ? `~${move}` : move];
  if (seconds !== null) words.push(`@${seconds.toFixed(9).replace(/\.?0+$/, '')}`);
  if (symbol) words.push(symbol);
  if (comment) words.push(`{${comment}}`);
  return words;
}

function lineWords(parent: TreeNode, first: TreeNode, begun: Turn): string[] {
  const words: string[] = [];
  let [from, before] = [parent, begun];
  for (let node: TreeNode | undefined = first; node; node = node.children[0]) {
    const turn = nextTurn(before, node.seat);
    if (turn !== before || (node === first && node.seat !== null)) words.push(`${turn.number}.`);
    words.push(...wordsOf(node));
    if (node === from.children[0])
      for (const other of from.children.slice(1))
        words.push('(', ...lineWords(from, other, before), ')');
    [from, before] = [node, turn];
  }
  return words;
}

/** The numbers of turns, by the ids of the moves that begin one. */
export function turnNumbers(root: TreeNode): Map<number, number> {
  const found = new Map<number, number>();
  const walk = (node: TreeNode, before: Turn): void => {
    for (const child of node.children) {
      const turn = nextTurn(before, child.seat);
      found.set(child.id, turn.number);
      walk(child, turn);
    }
  };
  walk(root, { number: 0, mover: null });
  return found;
}

/** The record of a tree as text, in the form that Python writes. */
export function formatRecord(headers: readonly string[], root: TreeNode): string {
  const { result } = nodeAt(root, mainFrom(root, []));
  const words = root.comment ? [`{${root.comment}}`] : [];
  const [first] = root.children;
  if (first) words.push(...lineWords(root, first, { number: 0, mover: null }));
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line && [...line].length + 1 + [...word].length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  const all = [...headers, ...(result ? [`result: ${result}`] : []), '', ...lines, line];
  return `${all.join('\n').trimEnd()}\n`;
}
