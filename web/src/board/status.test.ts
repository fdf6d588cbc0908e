import { expect, test } from 'vitest';
import type { GameModule } from './gameModule';
import { abortedSentence, announcement, distinctNames, ending, lastNews, newsOf } from './status';
import type { Move, View } from '../api/wire';

const t = (key: string): string => key.toUpperCase();
const move = (text: string | null, seat: number | null): Move => ({
  seq: 1,
  at: 0,
  seat,
  move: text,
  spent_ms: 0,
  by_timer: false,
  action: null,
});
const game = {
  formatMove: (text: string) => `<${text}>`,
  announceMove: (text: string) => (text === 'end' ? '' : `places ${text}`),
} as unknown as GameModule;

test('moves are announced with their player', () => {
  expect(announcement(move('c3', 1), game, t, ['Red', 'Blue'])).toBe('Blue: places c3');
  expect(announcement(move('c3', null), game, t, [])).toBe('places c3');
});

test('hidden moves, and those without words, are not announced', () => {
  expect(announcement(move(null, 0), game, t, ['Red'])).toBeNull();
  expect(announcement(move('end', 0), game, t, ['Red'])).toBeNull();
});

test('a game without announcements falls back to its format, then to the notation', () => {
  const plain = { formatMove: game.formatMove } as GameModule;
  expect(announcement(move('c3', 0), plain, t, ['Red'])).toBe('Red: <c3>');
  expect(announcement(move('c3', 0), null, t, ['Red'])).toBe('Red: c3');
});

test('players of the same name are told apart by their seats', () => {
  expect(distinctNames(['Ana', 'Guest', 'Guest'], ['A', 'B', 'C'])).toEqual([
    'Ana',
    'Guest (B)',
    'Guest (C)',
  ]);
});

// ---- endings ----

interface Case {
  /** Who won; nobody in a draw. */
  winners: number[];
  returns: number[];
  by?: string;
  endedBy?: number;
  left?: string[];
  teams?: number[];
  seat: number | null;
}
const NAMES = ['Ana', 'Ben', 'Cleo', 'Dan'];

function told({ winners, returns, by = 'rules', endedBy, left, teams, seat }: Case): string {
  const outcome = {
    ...{ winners, returns, by, reason: by, sentence: '', facts: {} },
    ...{ ended_by: endedBy ?? null, left: left ?? returns.map(() => '') },
  };
  const found = ending({
    outcome: outcome as never,
    seat,
    names: NAMES.slice(0, returns.length),
    ...(teams ? { teams } : {}),
    sentence: '184–110.',
  });
  return `${found.tone}: ${found.headline} ${found.sentence}`;
}
const WON: Pick<Case, 'winners' | 'returns'> = { winners: [0], returns: [1, -1] };
const RESIGNED = { ...WON, by: 'resigned', endedBy: 1, left: ['', 'resigned'] };
const TIMEOUT = { ...WON, by: 'timeout', endedBy: 1, left: ['', 'timeout'] };
const AWAY = { ...WON, by: 'claimed', endedBy: 1, left: ['', 'claimed'] };
const PAIRS = { winners: [0, 2], returns: [1, -1, 1, -1] };
const THREE = {
  ...{ winners: [2], returns: [-1, -1, 1], by: 'timeout', endedBy: 0 },
  left: ['timeout', 'resigned', ''],
};

test.each<[Case, string]>([
  [{ ...WON, seat: 0 }, 'won: You win! 184–110.'],
  [{ ...WON, seat: 1 }, 'lost: Ana wins this time. 184–110.'],
  [{ ...WON, seat: null }, 'neutral: Ana wins! 184–110.'],
  [{ winners: [], returns: [0, 0], seat: 0 }, 'draw: It’s a draw. 184–110.'],
  [{ ...RESIGNED, seat: 0 }, 'won: You win! Ben resigned.'],
  [{ ...RESIGNED, seat: 1 }, 'lost: You resigned. Ana wins.'],
  [{ ...RESIGNED, seat: null }, 'neutral: Ana wins! Ben resigned.'],
  [{ ...TIMEOUT, seat: 0 }, 'won: You win! Ben ran out of time.'],
  [{ ...TIMEOUT, seat: 1 }, 'lost: You ran out of time. Ana wins.'],
  [{ ...AWAY, seat: 0 }, 'won: You win! Ben was away too long.'],
  [{ ...AWAY, seat: 1 }, 'lost: You were away too long. Ana wins.'],
  [{ ...THREE, seat: 2 }, 'won: You win! Ben resigned. Ana ran out of time.'],
  [{ ...THREE, seat: 1 }, 'lost: Cleo wins this time. You resigned. Ana ran out of time.'],
  [{ ...PAIRS, teams: [0, 1, 0, 1], seat: 0 }, 'won: Your team wins! 184–110.'],
  [{ ...PAIRS, teams: [0, 1, 0, 1], seat: 1 }, 'lost: Ana and Cleo win this time. 184–110.'],
  [{ ...PAIRS, seat: 0 }, 'won: You share the win! 184–110.'],
  [{ winners: [0, 1], returns: [1, 1], seat: 0 }, 'won: You win together! 184–110.'],
  [{ winners: [], returns: [-1, -1], seat: 0 }, 'lost: You lose together. 184–110.'],
  [{ winners: [0, 1], returns: [1, 1], seat: null }, 'neutral: Everyone wins! 184–110.'],
  [{ winners: [], returns: [-1, -1], seat: null }, 'neutral: Everyone loses. 184–110.'],
  [{ winners: [], returns: [-1], seat: 0 }, 'lost: You lose. 184–110.'],
])('the ending %j', (one, sentence) => {
  expect(told(one)).toBe(sentence);
});

test('a game without a result says why', () => {
  expect(abortedSentence('agreed')).toBe('The players agreed to stop. This game has no result.');
  expect(abortedSentence('')).toBe('This game was aborted and has no result.');
});

// ---- news ----

const view = { board: {} } as unknown as View;
const players = [
  { name: 'Ana', who: 'you' as const },
  { name: 'Ben', who: 'other' as const },
];
const facts = {
  gameText: t,
  players,
  names: ['You', 'Ben'],
};

test('the game says what happened; otherwise the page does', () => {
  const own: GameModule = { ...game, news: ({ move }) => (move === 'swap' ? 'Swapped' : null) };
  expect(newsOf(move('swap', 1), view, null, { ...facts, module: own })).toBe('Swapped');
  expect(newsOf(move('c3', 0), view, null, { ...facts, module: own })).toBe('You: places c3');
});

test('the line above the board skips what is not worth a sentence', () => {
  const moves = [move('c3', 1), move('end', 1), move(null, null)];
  expect(lastNews(moves, view, null, { ...facts, module: game })).toBe('Ben: places c3');
  expect(lastNews([], view, null, { ...facts, module: game })).toBeNull();
});
