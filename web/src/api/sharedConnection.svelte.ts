// The page's one connection, opened with the first match and kept while the page lives.
import { Connection, type SocketLike } from './connection.svelte';
import { identity } from '../people/identity.svelte';

let connection = $state.raw<Connection | null>(null);

/** Where to connect. A proxy may send all players of a match to the same node; any node will do. */
function socketUrl(): string {
  const match = /^\/match\/([^/]+)/.exec(location.pathname)?.[1];
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/socket`;
  return match ? `${url}?match=${match}` : url;
}

/** The connection; opened when first needed. */
export function getConnection(): Connection {
  if (!connection) {
    const open = () => new WebSocket(socketUrl()) as unknown as SocketLike;
    const made = new Connection(open, identity.token);
    made.onForgotten = () => identity.forget();
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
