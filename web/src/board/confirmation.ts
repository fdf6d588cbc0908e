// Whether a move waits on the board before it is played: chosen once more, or confirmed by a button,
// it counts. So a slip of the finger costs nothing.
import { settings } from '../app/settings.svelte';

let isByTouch = false;
/** Undefined in tests without a page. */
const page = globalThis.document as Document | undefined;
page?.addEventListener('pointerdown', (event) => noteInput(event.pointerType), { capture: true });
page?.addEventListener('keydown', () => noteInput('keyboard'), { capture: true });

/** Remembers how the player has acted last. */
export function noteInput(kind: string): void {
  isByTouch = kind === 'touch' || kind === 'pen';
}

/** Whether a move that has been chosen on the board waits. */
export function mustWait(): boolean {
  return settings.confirm === 'always' || (settings.confirm === 'touch' && isByTouch);
}

/** Whether a tile waits that can be rotated where it lies; a finger can't see it hover before. */
export function mustPreview(): boolean {
  return settings.confirm !== 'never' || isByTouch;
}
