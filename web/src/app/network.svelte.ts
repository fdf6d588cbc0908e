// Links as other devices can open them. On localhost, the server says at which addresses of its
// networks it can be reached, if at any.
import { listAddresses } from '../api/endpoints/games';

/** Whether a host is this computer, as others can't reach it. */
export function isLoopback(host: string): boolean {
  return /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(host);
}

class Network {
  /** Addresses for other devices; null until the server has answered. */
  #addresses = $state.raw<string[] | null>(null);

  /** Asks the server, if the page itself is open on localhost. */
  async load(): Promise<void> {
    if (this.#addresses || !isLoopback(location.hostname)) return;
    try {
      this.#addresses = (await listAddresses()).addresses;
    } catch {
      return; // The link stays as it is.
    }
  }

  /** A link with an address that others can reach, if there is one. */
  link(to: string): string {
    const { hostname, pathname, search, hash } = new URL(to, location.href);
    const base = this.#addresses?.[0];
    return base && isLoopback(hostname) ? new URL(pathname + search + hash, base).href : to;
  }

  /** Whether only this computer can open a link. */
  isOnlyHere(to: string): boolean {
    return this.#addresses !== null && isLoopback(new URL(this.link(to)).hostname);
  }
}

export const network = new Network();
