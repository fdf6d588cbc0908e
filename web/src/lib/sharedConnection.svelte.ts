// The page's one connection, opened with the first match and kept while the page lives.
import { Connection, type SocketLike } from './connection.svelte';
import { identity } from './identity.svelte';

let connection = $state.raw<Connection | null>(null);

/** The connection; opened when first needed. */
export function getConnection(): Connection {
  if (!connection) {
    const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/socket`;
    const made = new Connection(() => new WebSocket(url) as unknown as SocketLike, identity.token);
    connection = made;
    addEventListener('online', () => made.wake());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) made.wake();
    });
  }
  return connection;
}

/** The connection, if there is one yet. */
export function currentConnection(): Connection | null {
  return connection;
}
