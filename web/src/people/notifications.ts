// Being called and slow play: push messages on this device, vacations, queued replies.
import { read, send } from '../api/rest';
import { identity } from './identity.svelte';
import { language } from '../app/language.svelte';
import type { DigestResponse, PushResponse, RepliesResponse, VacationResponse } from '../api/wire';

export const KINDS = ['turn', 'challenge', 'start'] as const;
export type Kind = (typeof KINDS)[number];

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** What this device is called about. */
export const readPush = (): Promise<PushResponse> => read('/me/push', identity.token);

/** Has this device called about these, or about nothing. */
export async function setPush(kinds: Kind[]): Promise<PushResponse> {
  const registration = await navigator.serviceWorker.ready;
  const token = await identity.ensureToken();
  if (!kinds.length) {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return send('DELETE', '/me/push', token);
  }
  const { public_key: key } = await read<PushResponse>('/me/push', token);
  const found = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { keys } = found.toJSON();
  return send('PUT', '/me/push', token, {
    endpoint: found.endpoint,
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
    kinds,
    language: language.code,
  });
}

export const readVacation = (): Promise<VacationResponse> => read('/me/vacation', identity.token);
export const setVacation = (isOn: boolean): Promise<VacationResponse> =>
  send('PUT', '/me/vacation', identity.token, { is_on: isOn });

export const EVERY = ['never', 'hourly', 'daily'] as const;
export const readDigest = (): Promise<DigestResponse> => read('/me/digest', identity.token);
/** Sends mail about matches that wait, or no more. */
export const setDigest = (every: DigestResponse['every']): Promise<DigestResponse> =>
  send('PUT', '/me/digest', identity.token, { every, language: language.code });

export const readReplies = (match: string, token: string): Promise<RepliesResponse> =>
  read(`/matches/${match}/replies`, token);
export const queueReplies = (
  match: string,
  token: string,
  lines: string[][],
): Promise<RepliesResponse> => send('PUT', `/matches/${match}/replies`, token, { lines });

/**
 * The lines with one more. A line that says something else in the same position, or less, is
 * replaced: `isOwn` says which moves of the new line are ours.
 */
export function withLine(lines: string[][], added: string[], isOwn: boolean[]): string[][] {
  const kept = lines.filter((line) => {
    const at = added.findIndex((move, place) => move !== line[place]);
    if (at === -1) return line.length > added.length; // It goes further.
    return at < line.length && !isOwn[at];
  });
  const isKnown = kept.some((line) => added.every((move, place) => move === line[place]));
  return isKnown ? kept : [...kept, added];
}
