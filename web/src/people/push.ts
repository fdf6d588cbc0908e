// Push messages on this device.
import { deletePush, getPush, setPush as subscribe } from '../api/endpoints/push';
import { language } from '../app/language.svelte';
import { identity } from './identity.svelte';
import type { PushRequest, PushResponse } from '../api/wire';

export const KINDS = [
  'turn',
  'challenge',
  'start',
  'follow',
] as const satisfies PushRequest['kinds'];
export type Kind = (typeof KINDS)[number];

export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Has this device called about these, or about nothing. */
export async function setPush(kinds: Kind[]): Promise<PushResponse> {
  const registration = await navigator.serviceWorker.ready;
  const token = await identity.ensureToken();
  if (!kinds.length) {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return deletePush(token);
  }
  const { public_key: key } = await getPush(token);
  const found = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { keys } = found.toJSON();
  return subscribe(token, {
    endpoint: found.endpoint,
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
    kinds,
    language: language.code,
  });
}
