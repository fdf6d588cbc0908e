// Where the page's thinking is done: everything that wants to know a good move asks here, and knows
// nothing of who thinks. That is the server.
import { readHint } from './api';
import type { Thoughts } from './wire';

/** What can be played now, the best first, by what the seat of the token knows. */
export function think(match: string, token: string): Promise<Thoughts> {
  return readHint(match, token);
}
