// Calls players back when it is their turn: with a sound, a pulse, and a browser notification.
import { pulse } from '../ui/haptics';
import { settings } from '../app/settings.svelte';
import { play } from '../ui/sound';

/** Plays the sound, pulses and shows the notification, as far as the settings allow. */
export function notify(title: string, body: string): void {
  play('turn');
  pulse('turn');
  if (
    settings.notify &&
    document.hidden &&
    'Notification' in window &&
    Notification.permission === 'granted'
  ) {
    const notification = new Notification(title, { body, tag: 'turn', icon: '/icon.svg' });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  }
}
