// Short pulses on phones: on your turn, and when you move.
import { settings } from '../app/settings.svelte';

const PULSES = { move: [12], turn: [18, 70, 18] } as const;

/** Whether this is a device that one holds in the hand and that can vibrate. */
export const hasHaptics = (): boolean =>
  'vibrate' in navigator && matchMedia('(pointer: coarse)').matches;

/** Lets the phone vibrate, if the settings allow it. */
export function pulse(name: keyof typeof PULSES): void {
  if (settings.haptics && hasHaptics() && !document.hidden) navigator.vibrate([...PULSES[name]]);
}
