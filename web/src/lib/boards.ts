// The boards of the games. Each lies in its game's folder, src/watermeet/games/NAME/web/, and is
// found there by its path: nothing here names a game. A game without one is shown by its picture.
import type { Component } from 'svelte';
import type { Aid } from './aid';
import type { MoveBuilder, Split } from './builder.svelte';
import type { Code, GameTexts } from './language.svelte';
import type { Values } from './messages';
import type { Happening, View } from './match.svelte';

/** What a board is given. It draws the view and offers parts of moves; it knows no rules. */
export interface BoardProps {
  view: View;
  builder: MoveBuilder;
  /** Chooses a part of a move; plays it when nothing is left to choose. */
  pick: (part: string) => void;
  /** Plays an action as a whole, where a board shows it so. */
  play: (action: number) => void;
  /** Texts of the moves that were played last, to be marked; the newest is last. */
  last: string[];
  happened: Happening[];
  /** What is written beside seats: names of people, or what the game calls them. */
  names: string[];
  isMoving: boolean;
  /** What the frame tells beside the view: reasons, news, the minute, signs of partners. */
  aid: Aid;
  /** A text of the game's own in the language of the page. */
  say: (key: string, words?: Record<string, string | number>) => string;
}

/** Who holds a seat, as values for a message: `{who, select, you {Your move} other {{name}’s move}}`. */
export interface Player extends Values {
  name: string;
  who: 'you' | 'other';
}

/** How a seat is told apart, beside its name: a colour, and a letter or sign for who sees none. */
export interface Badge {
  fill: string;
  ink: string;
  sign: string;
}

/** What `web/index.ts` of a game exports as `game`. */
export interface GameModule {
  Board: Component<BoardProps>;
  Help?: Component<{ say: BoardProps['say'] }>;
  split?: Split;
  texts: GameTexts;
  badge?: (view: View, seat: number) => Badge;
  /** What happens now, in the language of the page; null for the server's sentence. */
  sentence?: (view: View, say: BoardProps['say'], players: Player[]) => string | null;
  /** A move as it is read aloud to who cannot see it; without it `tell` has to do. */
  news?: (move: string, say: BoardProps['say']) => string;
  /** A move as people say it; without it the notation is shown. */
  tell?: (move: string, say: BoardProps['say']) => string;
}

/** What `web/card.ts` of a game exports as `card`, for the first page. */
export interface Card {
  title: Record<Code, string>;
  tagline: Record<Code, string>;
  /** The part of the pictures that shows the board, in their own units; `of` is a picture's width. */
  frame?: { left: number; top: number; width: number; height: number; of: number };
}

const MODULES = import.meta.glob<{ game: GameModule }>('../../../src/watermeet/games/*/web/index.ts');
const CARDS = import.meta.glob<{ card: Card }>('../../../src/watermeet/games/*/web/card.ts', { eager: true });
const PICTURES = import.meta.glob<string>('../../../src/watermeet/games/*/web/picture.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});

function at<T>(found: Record<string, T>, game: string, file: string): T | undefined {
  return found[`../../../src/watermeet/games/${game}/web/${file}`];
}

/** The board of a game; null if it has none. */
export async function boardOf(game: string): Promise<GameModule | null> {
  const load = at(MODULES, game, 'index.ts');
  return load ? (await load()).game : null;
}

export function cardOf(game: string): Card | undefined {
  return at(CARDS, game, 'card.ts')?.card;
}

/** The address of a picture of a game. */
export function pictureOf(game: string): string {
  return at(PICTURES, game, 'picture.svg') ?? `/api/games/${encodeURIComponent(game)}/picture`;
}

/** Pictures of a match from its beginning to its end. */
export function pictureSeries(game: string, count: number): string[] {
  const path = `/api/games/${encodeURIComponent(game)}/picture?share=`;
  return Array.from({ length: count }, (_, number) => path + Math.round((100 * number) / (count - 1)));
}
