// All games of the server; loaded once.
import { listGames } from '../api/endpoints/games';
import type { Game } from '../api/wire';

let known: Promise<Game[]> | null = null;

export function games(): Promise<Game[]> {
  known ??= listGames().then(
    (list) => list.games,
    (error: unknown) => {
      known = null;
      throw error;
    },
  );
  return known;
}
