// Tells a person who looks elsewhere that it is their turn: a sound, a notice of the browser.
import { settings } from './settings.svelte';

/** Does what the settings allow. */
export function notify(title: string, body: string): void {
  if (settings.sound) chime();
  if (settings.notify && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    const notice = new Notification(title, { body, tag: 'turn', icon: '/icon.svg' });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  }
}

/** Two soft drops. */
function chime(): void {
  try {
    const context = new AudioContext();
    for (const [at, pitch] of [[0, 660], [0.13, 880]] as const) {
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
    return; // No sound here: the title and the page still tell.
  }
}
