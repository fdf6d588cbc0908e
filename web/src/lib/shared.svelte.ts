// The one line of the page, opened when a match is; it is kept while the page is there.
import { device } from './device.svelte';
import { Line, type SocketLike } from './line.svelte';

let line = $state.raw<Line | null>(null);

/** The line; opened when it is first needed. */
export function needLine(): Line {
  if (!line) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    line = new Line(() => new WebSocket(`${scheme}://${location.host}/api/socket`) as unknown as SocketLike, device.token);
    const made = line;
    addEventListener('online', () => made.wake());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) made.wake();
    });
  }
  return line;
}

/** The line, if there is one. */
export function currentLine(): Line | null {
  return line;
}
