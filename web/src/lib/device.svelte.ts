// Who this browser is: a guest with a token, the seats it holds in matches, and links to pass on.
// Nothing of it leaves the browser but in headers.
import { newGuest, newMatch, sitDown } from './api';
import { Refusal } from './line.svelte';
import { readJson, writeJson } from './settings.svelte';
import type { MatchMade, NewMatch, SeatTaken } from './wire';

const TOKEN = 'watermeet.device';
const NAME = 'watermeet.name';
const SEATS = 'watermeet.seats';
const LINKS = 'watermeet.links';
const KEPT = 200;

type BySeat = Record<string, string>;

class Device {
  token = $state(readJson<string>(TOKEN, ''));
  /** How the person wants to be called at tables; may be empty. */
  name = $state(readJson<string>(NAME, ''));
  #making: Promise<string> | null = null;

  /** The token, made when it is first needed. */
  async need(): Promise<string> {
    if (this.token) return this.token;
    this.#making ??= newGuest().then((made) => {
      this.token = made.token;
      writeJson(TOKEN, made.token);
      return made.token;
    });
    try {
      return await this.#making;
    } finally {
      this.#making = null;
    }
  }

  /** The server does not know us any more: a new guest is made when one is needed. */
  forget(): void {
    this.token = '';
    writeJson(TOKEN, '');
  }

  rename(name: string): void {
    this.name = name.trim().slice(0, 40);
    writeJson(NAME, this.name);
  }

  /** The seats of a match that this browser plays, with their tokens. */
  seatsOf(match: string): BySeat {
    return readJson<Record<string, BySeat>>(SEATS, {})[match] ?? {};
  }

  keepSeat(match: string, seat: number, token: string): void {
    keep(SEATS, match, { ...this.seatsOf(match), [seat]: token });
  }

  /** Links that invite to a match that was made here, by seat. */
  linksOf(match: string): BySeat {
    return readJson<Record<string, BySeat>>(LINKS, {})[match] ?? {};
  }

  /** Lays a table and sits down at it. */
  async lay(wish: NewMatch, asName?: string): Promise<MatchMade> {
    const seat = wish.sit ?? 0;
    const made = await this.#asGuest((token) => newMatch(token, { ...wish, sit: null }));
    const { [String(seat)]: _own, ...links } = made.links;
    if (Object.keys(links).length) keep(LINKS, made.match, links);
    const invitation = made.invitations[String(seat)] ?? '';
    await this.sit(made.match, seat, invitation, asName);
    return made;
  }

  /** Sits down, with the own name and salt for the draws. */
  async sit(match: string, seat: number, invitation = '', asName = this.name, by?: string): Promise<void> {
    const joining = { invitation, name: asName, salt: crypto.randomUUID() };
    const ask = (token: string): Promise<SeatTaken> => sitDown(match, seat, token, joining);
    const taken = await (by === undefined ? this.#asGuest(ask) : ask(by));
    this.keepSeat(match, seat, taken.token);
  }

  /** Asks as this browser; as a new guest if the server does not know the old one any more. */
  async #asGuest<T>(ask: (token: string) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.need());
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
      this.forget();
      return ask(await this.need());
    }
  }

  /** Takes a further seat of a match for somebody else at this screen. */
  async sitOther(match: string, seat: number, name: string): Promise<void> {
    const other = await newGuest(); // A user has one seat in a match.
    await this.sit(match, seat, '', name, other.token);
  }
}

function keep(key: string, match: string, value: BySeat): void {
  const all = readJson<Record<string, BySeat>>(key, {});
  delete all[match]; // So that the newest is last.
  const entries = [...Object.entries(all), [match, value] as const].slice(-KEPT);
  writeJson(key, Object.fromEntries(entries));
}

export const device = new Device();
