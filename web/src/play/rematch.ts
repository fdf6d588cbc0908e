// From a match to its rematch, with the seats of this browser.
import { identity } from '../people/identity.svelte';
import { Refusal } from '../api/refusal';
import { router } from '../app/router.svelte';

/** The rematch is agreed before it is made: it may take a moment. */
const TRIES = 20;
const RETRY_MS = 250;

/** Takes our seats in the rematch of a match, and goes there. */
export async function enterRematch(match: string, rematch: string, seats: number): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      await identity.enterRematch(match, rematch, seats);
      break;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'not_found') break; // Somebody else's seat: watch it.
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  router.go(`/match/${rematch}`);
}
