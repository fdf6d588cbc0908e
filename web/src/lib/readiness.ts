// Whether a game is ready on the server. On a new machine it is compiled first, once, which may take
// minutes: who waits for it is told so, and does not think that all has come to a standstill.
import { readReadiness } from './api';
import type { Readiness } from './wire';

const FIRST_MS = 1_000; // Before that nobody wonders.
const AGAIN_MS = 2_000;

/** Tells, as long as it is not stopped, whether a part of a game is still being prepared. */
export function watchReadiness(
  game: string,
  part: keyof Readiness,
  tell: (isPreparing: boolean) => void,
  read: (game: string) => Promise<Readiness> = readReadiness,
): () => void {
  let isStopped = false;
  let timer = setTimeout(look, FIRST_MS);

  async function look(): Promise<void> {
    const isThere = await read(game).then((found) => found[part], () => true); // A server that is away is told elsewhere.
    if (isStopped) return;
    tell(!isThere);
    if (!isThere) timer = setTimeout(look, AGAIN_MS);
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
    tell(false);
  };
}
