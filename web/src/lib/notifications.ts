// Calls players back when it is their turn: with a sound, and a browser notification.
import { settings } from './settings.svelte';

/** Plays the sound and shows the notification, as far as the settings allow. */
export function notify(title: string, body: string): void {
  if (settings.sound) chime();
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

/** Two soft drops. */
function chime(): void {
  try {
    const context = new AudioContext();
    for (const [at, pitch] of [
      [0, 660],
      [0.13, 880],
    ] as const) {
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, context.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(0.12, context.currentTime + at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + at + 0.35);
      tone.connect(volume).connect(context.destination);
      tone.start(context.currentTime + at);
      tone.stop(context.currentTime + at + 0.4);
    }
    setTimeout(() => void context.close(), 900);
  } catch {
    return; // No audio: the title and the page still show it.
  }
}
