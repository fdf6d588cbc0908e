// Flecks in the browser.
import type { GameModule } from '@watermeet/lib/boards';
import Board from './Board.svelte';
import Help from './Help.svelte';
import { texts } from './texts';
import { boardOf, split } from './view';

export const game: GameModule = {
  Board,
  Help,
  texts,
  split,
  tell: (move, say) => (move === 'stop' ? say('stop') : move.replace(/^>/, '→ ')),
  news: (move, say) => {
    const row = /^([a-z]\d+)-([a-z]+)(\d+)$/.exec(move);
    if (row) return say('newsRow', { cell: row[1]!, way: say(row[2]!), steps: row[3]! });
    return move === 'stop' ? '' : move;
  },
  badge: (_, seat) =>
    seat === 0 ? { fill: '#c8321f', ink: '#fff', sign: '◎' } : { fill: '#2457b0', ink: '#fff', sign: '•' },
  sentence: (view, say, players) => {
    const player = players[view.to_move];
    const { due } = boardOf(view);
    return !player || due === 'nothing' ? null : say(due, player);
  },
};
