import { expect, test } from 'vitest';
import { newsOf } from './aid';
import type { GameModule } from './boards';
import type { MoveTold } from './wire';

const say = (key: string): string => key.toUpperCase();
const move = (text: string | null, seat: number | null): MoveTold => ({ seq: 1, at: 0, seat, move: text, spent_ms: 0, by_clock: false, action: null });
const game = { tell: (text: string) => `<${text}>`, news: (text: string) => (text === 'end' ? '' : `lays ${text}`) } as unknown as GameModule;

test('moves are read aloud with who played them', () => {
  expect(newsOf(move('c3', 1), game, say, ['Red', 'Blue'])).toBe('Blue: lays c3');
  expect(newsOf(move('c3', null), game, say, [])).toBe('lays c3');
});

test('what nobody could see and what needs no words is not read', () => {
  expect(newsOf(move(null, 0), game, say, ['Red'])).toBeNull();
  expect(newsOf(move('end', 0), game, say, ['Red'])).toBeNull();
});

test('without words of its own a game is read as it is told', () => {
  expect(newsOf(move('c3', 0), { tell: game.tell } as GameModule, say, ['Red'])).toBe('Red: <c3>');
  expect(newsOf(move('c3', 0), null, say, ['Red'])).toBe('Red: c3');
});
