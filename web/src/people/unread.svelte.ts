// Friends whose messages came while one was elsewhere, until one reads them. Kept in localStorage.
import { UNREAD } from './identity.svelte';
import { readJson, writeJson } from '../app/settings.svelte';
import type { ChatMessage } from '../api/wire';

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

class Unread {
  names = $state.raw(readJson<string[]>(UNREAD, []));

  constructor() {
    addEventListener('storage', ({ key }) => {
      if (key === UNREAD) this.names = readJson<string[]>(UNREAD, []);
    });
  }

  has(name: string): boolean {
    return this.names.some((one) => isSame(one, name));
  }

  /** Takes a message between friends. Whoever answers on another device has read there. */
  readonly take = ({ name, friend }: ChatMessage): void => {
    this.read(friend);
    if (isSame(name, friend)) this.#set([...this.names, friend]);
  };

  read(name: string): void {
    if (this.has(name)) this.#set(this.names.filter((one) => !isSame(one, name)));
  }

  #set(names: string[]): void {
    this.names = names;
    writeJson(UNREAD, names);
  }
}

export const unread = new Unread();
