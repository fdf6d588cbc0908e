// Signing up and in, and what needs a recent sign-in.
import * as accounts from '../api/endpoints/accounts';
import { Refusal } from '../api/refusal';
import { router } from '../app/router.svelte';
import { readJson, writeJson } from '../app/settings.svelte';
import { identity } from './identity.svelte';
import { signInByPasskey } from './passkeys';
import type { AccountResponse, SignUpResponse } from '../api/wire';

const DEVICE = 'watermeet.device';

/** Keeps what this browser shows when somebody signs in again: then others' attempts don't count. */
async function signedIn<T extends { device: string }>(answer: Promise<T>): Promise<T> {
  const made = await answer;
  if (made.device) writeJson(DEVICE, made.device); // A code from another device proves nothing.
  return made;
}

export const signUp = async (
  name: string,
  password: string,
  invitation: string,
): Promise<SignUpResponse> =>
  signedIn(accounts.signUp(await identity.ensureToken(), { name, password, invitation }));
export const signIn = (name: string, password: string): Promise<AccountResponse> =>
  signedIn(accounts.signIn({ name, password, device: readJson(DEVICE, '') }));

/** Becomes another user. The page is loaded again: it may show what was the other's. */
export function switchTo(token: string): void {
  identity.become(token);
  const match = router.param('match'); // Where they came from.
  location.replace(/^[\w-]+$/.test(match) ? `/match/${match}` : '/account');
}

/** Does what needs a recent sign-in. Whoever has no password shows their passkey once more. */
export async function confirmed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'sign_in_again') throw error;
    identity.refresh(await signInByPasskey());
    return work();
  }
}
