// The players of games with red and blue stones.
import type { Badge } from './gameModule';

/** The badges of red and blue, with the signs that their stones carry. */
export const STONE_BADGES: Record<'red' | 'blue', Badge> = {
  red: { fill: 'var(--board-stone-1)', ink: 'var(--board-mark)', sign: '◎' },
  blue: { fill: 'var(--board-stone-2)', ink: 'var(--board-mark)', sign: '•' },
};
