// The REST API of accounts, which only the account page needs.
import { post, read, request } from '../api/rest';
import { identity } from './identity.svelte';
import { signInByPasskey } from './passkeys';
import { Refusal } from '../api/refusal';
import { router } from '../app/router.svelte';
import { readJson, writeJson } from '../app/settings.svelte';
import type {
  AccountInfoResponse,
  AccountOptionsResponse,
  AccountResponse,
  DeviceCodeResponse,
  NewTokenResponse,
  SessionInfo,
  SessionListResponse,
  SignUpResponse,
  TokenInfo,
  TokenListResponse,
  TokenRequest,
} from '../api/wire';

const DEVICE = 'watermeet.device';

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method };
  if (body !== undefined) init.body = JSON.stringify(body);
  return (await (await request(path, identity.token, init)).json()) as T;
}

/** Keeps what this browser shows when somebody signs in again: then others' attempts don't count. */
async function signedIn<T extends { device: string }>(answer: Promise<T>): Promise<T> {
  const made = await answer;
  if (made.device) writeJson(DEVICE, made.device); // A code from another device proves nothing.
  return made;
}

export const readOptions = (): Promise<AccountOptionsResponse> => read('/accounts');
export const readAccount = (): Promise<AccountInfoResponse> => read('/me/account', identity.token);
export const signUp = async (
  name: string,
  password: string,
  invitation: string,
): Promise<SignUpResponse> =>
  signedIn(post('/me/account', await identity.ensureToken(), { name, password, invitation }));
export const signIn = (name: string, password: string): Promise<AccountResponse> =>
  signedIn(post('/sessions', '', { name, password, device: readJson(DEVICE, '') }));
export const continueHere = (code: string): Promise<AccountResponse> =>
  signedIn(post('/sessions/device', '', { code }));
export const makeDeviceCode = async (): Promise<DeviceCodeResponse> =>
  post('/me/device-code', await identity.ensureToken(), {});
export const changePassword = (password: string, new_password: string): Promise<unknown> =>
  send('PUT', '/me/password', { password, new_password });
export const readSessions = async (): Promise<SessionInfo[]> =>
  (await read<SessionListResponse>('/me/sessions', identity.token)).sessions;
export const endSession = async (session: string): Promise<SessionInfo[]> =>
  (await send<SessionListResponse>('DELETE', `/me/sessions/${session}`)).sessions;
export const endOtherSessions = async (): Promise<SessionInfo[]> =>
  (await send<SessionListResponse>('DELETE', '/me/sessions')).sessions;
export const readData = async (): Promise<Blob> =>
  (await request('/me/data', identity.token)).blob();
export const deleteUser = (password: string): Promise<unknown> =>
  send('POST', '/me/deletion', { password });

/** Becomes another user. The page is loaded again: it may show what was the other's. */
export function switchTo(token: string): void {
  identity.become(token);
  const match = router.param('match'); // Where they came from.
  location.replace(/^[\w-]+$/.test(match) ? `/match/${match}` : '/account');
}

// ---- passkeys, mail and tokens ----

export const renamePasskey = (passkey: string, label: string): Promise<unknown> =>
  send('PUT', `/me/passkeys/${passkey}`, { label });
export const removePasskey = (passkey: string, password: string): Promise<unknown> =>
  send('POST', `/me/passkeys/${passkey}/removal`, { password });
export const setMail = (address: string, password: string, language: string): Promise<unknown> =>
  send('PUT', '/me/mail', { address, password, language });
export const removeMail = (password: string): Promise<unknown> =>
  send('POST', '/me/mail/removal', { password });
export const confirmMail = (code: string): Promise<unknown> =>
  post('/mail-confirmations', '', { code });
export const mailResetLink = (name: string, language: string): Promise<unknown> =>
  post('/sessions/reset-link', '', { name, language });
export const resetPassword = (code: string, password: string): Promise<AccountResponse> =>
  post('/sessions/reset', '', { code, password });
export const readTokens = async (): Promise<TokenInfo[]> =>
  (await read<TokenListResponse>('/me/tokens', identity.token)).tokens;
export const makeToken = (wanted: TokenRequest): Promise<NewTokenResponse> =>
  send('POST', '/me/tokens', wanted);
export const revokeToken = async (id: string): Promise<TokenInfo[]> =>
  (await send<TokenListResponse>('DELETE', `/me/tokens/${id}`)).tokens;

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
