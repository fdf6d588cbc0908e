// Finds what the games bring for the browser: everything in their folders web/, by path, so no game
// is named here. A game without a board is shown as a picture.
import type { Component } from 'svelte';
import type { BoardContext } from './boardContext';
import { gameFile } from '../app/gameFiles';
import { language, type Code } from '../app/language.svelte';
import type { Values } from '../app/messageFormat';
import type { MoveBuilder, Split } from './moveBuilder.svelte';
import type { Move, StepInfo, View } from '../api/wire';

/** A text of the game in the language of the page. */
export type Translate = (key: string, values?: Values) => string;

/** The props of a board. It draws the view and offers parts of moves; it knows no rules. */
export interface BoardProps {
  view: View;
  builder: MoveBuilder;
  /** Selects parts of a move, and plays the move once it is complete. */
  pick: (...parts: string[]) => void;
  /** The moves of the last turn, to be highlighted; the newest is last. */
  last: string[];
  /** The players' names by seat. */
  names: string[];
  isAnimated: boolean;
  context: BoardContext;
  t: Translate;
}

/** A player as values of a message: `{who, select, you {Your move} other {{name}’s move}}`. */
export interface Player extends Values {
  name: string;
  who: 'you' | 'other';
}

/** What marks a seat beside its name: a colour, and a sign for those who can't see it. */
export interface Badge {
  fill: string;
  ink: string;
  sign: string;
}

/** An action that was played or decided by chance. */
export interface PlayedMove {
  /** Who played it; null for chance and the clock. */
  seat: number | null;
  /** The notation. */
  move: string;
  /** The position before it; null where the page doesn't know it. */
  before: View | null;
}

/** Where a played move stands in its match. */
export interface Played {
  /** All moves so far, chance events too. */
  moves: Move[];
  /** The index of this one among them. */
  index: number;
  /** The position after all of them. */
  view: View;
}

/**
 * How positions of a game are set up: pieces that are put on cells. It works on the text of a position,
 * and the server says whether that is one.
 */
export interface PositionEditor {
  /** What can be put on a cell; an empty text takes away. */
  pieces: readonly string[];
  /** Draws a piece, around the origin and 100 units wide. */
  Piece: Component<{ piece: string }>;
  label: (piece: string, t: Translate) => string;
  /** The cells, by their `data-cell`. */
  cells: (view: View) => string[];
  /** Those that look as if they could be chosen; without this, all. */
  offered?: (view: View) => string[];
  /** The text with a piece on a cell. */
  put: (position: string, cell: string, piece: string, view: View) => string;
  /** The view with what the text has on the board, whether or not the position is possible. */
  preview: (view: View, position: string) => View;
  /** Who is to move, where the text says so. */
  mover?: {
    choices: (names: string[], t: Translate) => { value: string; label: string }[];
    get: (position: string) => string;
    set: (position: string, value: string) => string;
  };
}

/** What `web/index.ts` of a game exports as `game`. */
export interface GameModule {
  Board: Component<BoardProps>;
  /** Loads how positions are set up, which few ask for; without this, as text. */
  editor?: () => Promise<PositionEditor>;
  /** The game's own keyboard shortcuts: the key, and the text that says what it does. */
  shortcuts?: Shortcut[];
  split?: Split;
  /**
   * Whether a move that is chosen on the board can't be taken back within its turn, so that it may
   * wait to be confirmed; not what a button plays that says so. Without this, every move.
   */
  isFinal?: (move: string) => boolean;
  badge?: (view: View, seat: number) => Badge;
  /** What happens now; null for the server's own sentence. */
  status?: (view: View, t: Translate, players: Player[]) => string | null;
  /**
   * The view with a move that is on its way, so that it is seen at once: the piece where it will be,
   * whose turn it will be as far as that is plain, and in `legal` what may come next. It judges
   * nothing. Null or without this where that can't be drawn: the cells that the move names are marked.
   */
  preview?: (view: View, move: string) => View | null;
  /** A move as people write it; without this, its notation. */
  formatMove?: (move: string, t: Translate) => string;
  /**
   * The moves of a turn for somebody who sees them marked on the board: without coordinates that the
   * board doesn't show, and without ends of turns. Without this, as `formatMove` writes them.
   */
  turnWords?: (moves: string[], t: Translate) => string;
  /** A move as a screen reader announces it; without this, as `formatMove` writes it. */
  announceMove?: (move: string, t: Translate) => string;
  /**
   * What a move does in a few words, such as `bend`, shown beside its notation in the list of moves.
   * Empty or null where the notation says it all. With `played` it can also say what the move led to:
   * `moves again`, or the points of a turn at its last action.
   */
  describeMove?: (move: string, t: Translate, players: Player[], played?: Played) => string | null;
  /**
   * The label of the seat that made a move, as it was at that time; null or without this, as it is
   * now. Seats may swap colours, and the list must stay true.
   */
  labelThen?: (played: Played) => string | null;
  /**
   * One plain sentence about an action, shown above the board and read aloud: `You move again:
   * 3 neighbours`, `Brook scores 12`. `view` is the position after it. Empty for what
   * isn't worth a sentence; null for the page's own, which is the player's name and `announceMove`.
   */
  news?: (move: PlayedMove, view: View, t: Translate, players: Player[]) => string | null;
  /**
   * A sentence that stands on a line of its own in the list of moves, because the action is more than
   * a move: a swap of colours, an exchange of tiles, a wave, a draw. Null for plain moves. `player` is
   * who did it; undefined for chance and the clock.
   */
  caption?: (move: string, t: Translate, player: Player | undefined) => string | null;
  /**
   * What a hint says to do, as one or two sentences: `Place a stone on c3, and move again.` The steps
   * are those of the turn that are left to play. Null or without this: the first move's notation, and
   * what the server explains about it.
   */
  hint?: (steps: StepInfo[], view: View, t: Translate) => string | null;
  /**
   * The text of a position with the other player to move, which shows what they threaten; null or
   * without this where nobody can pass. The server checks it.
   */
  passTurn?: (position: string, view: View) => string | null;
  /** Whether an action only ends a turn: it isn't listed, and a replay doesn't stop before it. */
  isQuiet?: (move: string) => boolean;
  /** Whether the actions of a turn are one line of the list, with the points that they scored. */
  turnGroups?: boolean;
}

export type Shortcut = [key: string, text: string];

/** What `web/card.ts` of a game exports as `card`, for the home page. */
export interface Card {
  title: Record<Code, string>;
  tagline: Record<Code, string>;
  /** Its place among games that somebody hasn't played: the lower, the earlier. */
  order?: number;
  /** The part of the pictures that shows the board, in their units; `of` is a picture's width. */
  frame?: { left: number; top: number; width: number; height: number; of: number };
  /** The colours of the pictures, in lower case, and the colours of boards that they stand for. */
  inks?: Record<string, string>;
}

const MODULES = import.meta.glob<{ game: GameModule }>([
  '../../../src/watermeet/games/*/web/index.ts',
  '../../installed/*/web/index.ts',
]);
const CARDS = import.meta.glob<{ card: Card }>(
  ['../../../src/watermeet/games/*/web/card.ts', '../../installed/*/web/card.ts'],
  {
    eager: true,
  },
);
const PICTURES = import.meta.glob<string>(
  ['../../../src/watermeet/games/*/web/picture.svg', '../../installed/*/web/picture.svg'],
  {
    eager: true,
    query: '?url',
    import: 'default',
  },
);

/** Loads the board of a game; null if it has none. */
export async function loadBoard(game: string): Promise<GameModule | null> {
  const load = gameFile(MODULES, game, 'index.ts');
  const [module] = await Promise.all([load?.(), language.loadGame(game)]);
  return module?.game ?? null;
}

export function gameCard(game: string): Card | undefined {
  return gameFile(CARDS, game, 'card.ts')?.card;
}

/** The address of a game's picture. */
export function gamePicture(game: string): string {
  return (
    gameFile(PICTURES, game, 'picture.svg') ?? `/api/games/${encodeURIComponent(game)}/picture`
  );
}

/** The addresses of `count` pictures of a match, from start to end. */
export function pictureSeries(game: string, count: number): string[] {
  const path = `/api/games/${encodeURIComponent(game)}/picture?part=board&share=`;
  return Array.from(
    { length: count },
    (_, index) => path + Math.round((100 * index) / (count - 1)),
  );
}
