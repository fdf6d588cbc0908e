// Whether a game is ready on the server. On a new machine it is compiled first, once, which can take
// minutes; the page says so instead of seeming stuck.
import { readReadiness } from './api';
import type { ReadinessResponse } from './wire';

const FIRST_MS = 1_000; // Nobody wonders sooner.
const AGAIN_MS = 2_000;

/** Reports whether a part of a game is still being prepared, until the returned function is called. */
export function watchReadiness(
  game: string,
  part: keyof ReadinessResponse,
  report: (isPreparing: boolean) => void,
  read: (game: string) => Promise<ReadinessResponse> = readReadiness,
): () => void {
  let isStopped = false;
  let timer = setTimeout(check, FIRST_MS);

  async function check(): Promise<void> {
    const isReady = await read(game).then(
      (found) => found[part],
      () => true,
    ); // Others report an unreachable server.
    if (isStopped) return;
    report(!isReady);
    if (!isReady) timer = setTimeout(check, AGAIN_MS);
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
    report(false);
  };
}
