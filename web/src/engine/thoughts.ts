// Where the page's thinking is done: everything that wants to know a good move asks here, and knows
// nothing of who thinks. That is this browser, in a worker, or else the server.
import { explainFound, getEngineTask } from '../api/endpoints/engines';
import { getHint } from '../api/endpoints/matches';
import { hasEngine } from './shared';
import { sharedEngine } from './shared';
import { Refusal } from '../api/refusal';
import type { Thoughts } from '../api/wire';

/** How long this browser thinks, */
const SECONDS = 1;
/** and how long it may take with everything that has to be loaded first. */
const PATIENCE_MS = 10_000;
/** How many candidates the server explains. */
const EXPLAINED = 5;

/** What can be played now, the best first, by what the seat of the token knows. */
export async function think(game: string, match: string, token: string): Promise<Thoughts> {
  return (await thinkHere(game, match, token)) ?? getHint(token, match);
}

/** The same, by this browser; null if it can't, or the game has no engine yet. */
async function thinkHere(game: string, match: string, token: string): Promise<Thoughts | null> {
  try {
    const engine = await sharedEngine();
    if (!engine || !(await hasEngine(game))) return null;
    const { module, task, seq } = await getEngineTask(token, match);
    const late = setTimeout(() => engine.close(), PATIENCE_MS);
    const found = await engine
      .think(module, task, { seconds: SECONDS })
      .finally(() => clearTimeout(late));
    const best = found.candidates.slice(0, EXPLAINED);
    const candidates = best.map(({ action, value, visits }) => ({ action, value, visits }));
    const { pv, nodes, seconds, proven } = found;
    return await explainFound(token, match, { seq, candidates, pv, nodes, seconds, proven });
  } catch (error) {
    const isRefused = error instanceof Refusal && error.code !== 'not_found';
    if (isRefused) throw error; // The server would refuse its own hint, too.
    return null;
  }
}
