// Who this browser is: a guest or an account with a token, the seats it holds, and the invitations it can pass on.
// None of it leaves the browser except in request headers.
import { createMatch, joinMatch } from '../api/endpoints/matches';
import { createGuest } from '../api/endpoints/people';
import { newId, Refusal } from '../api/refusal';
import { readJson, writeJson } from '../app/settings.svelte';
import type { JoinRequest, JoinResponse, MatchRequest, MatchResponse } from '../api/wire';

const TOKEN = 'watermeet.token';
const NAME = 'watermeet.name';
const ACCOUNT = 'watermeet.account';
const SEATS = 'watermeet.seats';
const LINKS = 'watermeet.links';
const GUESTS = 'watermeet.guests';
const SIGNED_OUT = 'watermeet.signedOut';
/** Friends with unread messages. */
export const UNREAD = 'watermeet.unread';
/** How many matches are remembered. */
const REMEMBERED = 200;

type BySeat = Record<string, string>;

class Identity {
  token = $state(readJson<string>(TOKEN, ''));
  /** The name that others see; may be empty. */
  name = $state(readJson<string>(NAME, ''));
  /** The name of the account that this browser is signed in to; empty for guests. */
  account = $state(readJson<string>(ACCOUNT, ''));
  /** Whether the server has forgotten us, and we haven't become anybody since. */
  isSignedOut = $state(readJson<boolean>(SIGNED_OUT, false));
  #creating: Promise<string> | null = null;

  /** The token, created when first needed. */
  async ensureToken(): Promise<string> {
    if (this.token) return this.token;
    this.#creating ??= createGuest().then((guest) => {
      this.refresh(guest.token);
      return guest.token;
    });
    try {
      return await this.#creating;
    } finally {
      this.#creating = null;
    }
  }

  /** Drops a token that the server no longer knows. */
  forget(): void {
    if (this.token) this.#setSignedOut(true);
    this.token = '';
    writeJson(TOKEN, '');
    this.setAccount('');
  }

  /** Notes which account this browser is signed in to. */
  setAccount(name: string): void {
    this.account = name;
    writeJson(ACCOUNT, name);
    if (name) this.rename(name);
  }

  /** Takes a new token of the same user. */
  refresh(token: string): void {
    this.#setSignedOut(false);
    this.token = token;
    writeJson(TOKEN, token);
  }

  #setSignedOut(isSignedOut: boolean): void {
    this.isSignedOut = isSignedOut;
    writeJson(SIGNED_OUT, isSignedOut);
  }

  /** Becomes another user, who holds none of this browser's seats; empty: nobody. */
  become(token: string): void {
    this.forget();
    this.rename('');
    for (const key of [SEATS, LINKS, GUESTS]) writeJson(key, {});
    writeJson(UNREAD, []);
    this.refresh(token);
  }

  rename(name: string): void {
    this.name = name.trim().slice(0, 40);
    writeJson(NAME, this.name);
  }

  /** Whether this browser has held a seat before. */
  get hasPlayed(): boolean {
    return Object.keys(readJson<Record<string, BySeat>>(SEATS, {})).length > 0;
  }

  /** The tokens of the seats that this browser holds in a match. */
  seatsOf(match: string): BySeat {
    return readJson<Record<string, BySeat>>(SEATS, {})[match] ?? {};
  }

  /** Forgets a match that was left: its tokens no longer work. */
  forgetMatch(match: string): void {
    for (const key of [SEATS, LINKS]) {
      const { [match]: _left, ...others } = readJson<Record<string, BySeat>>(key, {});
      writeJson(key, others);
    }
  }

  /** Links that invite others to a match created here, by seat. */
  invitationLinks(match: string): BySeat {
    return readJson<Record<string, BySeat>>(LINKS, {})[match] ?? {};
  }

  /** Creates a match and takes its own seat. */
  async createMatch(request: MatchRequest, name?: string): Promise<MatchResponse> {
    const seat = request.seat ?? 0;
    const made = await this.#asGuest((token) => createMatch(token, { ...request, seat: null }));
    const { [String(seat)]: _own, ...links } = made.links;
    if (Object.keys(links).length) remember(LINKS, made.match, links);
    await this.join(made.match, seat, made.invitations[String(seat)] ?? '', name);
    return made;
  }

  /** Takes a seat. */
  async join(
    match: string,
    seat: number,
    invitation = '',
    name = this.name,
    token?: string,
  ): Promise<void> {
    const joining: JoinRequest = { invitation, name, seed: newId() };
    const take = (by: string): Promise<JoinResponse> => joinMatch(by, match, seat, joining);
    const taken = await (token === undefined ? this.#asGuest(take) : take(token));
    remember(SEATS, match, { ...this.seatsOf(match), [seat]: taken.token });
  }

  /** Speaks for a seat by our own token from now on: the one of the seat has ended. */
  keepSeat(match: string, seat: number): void {
    remember(SEATS, match, { ...this.seatsOf(match), [seat]: this.token });
  }

  /** Takes a further seat for somebody else at this screen: a user has one seat in a match. */
  async joinAsGuest(match: string, seat: number, name: string): Promise<void> {
    const guest = await createGuest();
    await this.join(match, seat, '', name, guest.token);
    rememberMore(GUESTS, match, seat, guest.token);
  }

  /** Takes our seats in the rematch of a match, where everybody has moved on by one. */
  async enterRematch(match: string, rematch: string, seats: number): Promise<void> {
    const guests = readJson<Record<string, BySeat>>(GUESTS, {})[match] ?? {};
    for (const seat of Object.keys(this.seatsOf(match))) {
      const next = (Number(seat) + 1) % seats;
      await this.join(rematch, next, '', this.name, guests[seat]);
      if (guests[seat]) rememberMore(GUESTS, rematch, next, guests[seat]);
    }
  }

  /** Sends a request as this browser, or as a new guest if the server no longer knows us. */
  async #asGuest<T>(send: (token: string) => Promise<T>): Promise<T> {
    try {
      return await send(await this.ensureToken());
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
      this.forget();
      return send(await this.ensureToken());
    }
  }
}

function remember(key: string, match: string, value: BySeat): void {
  const all = readJson<Record<string, BySeat>>(key, {});
  delete all[match]; // The newest goes last.
  const entries = [...Object.entries(all), [match, value] as const].slice(-REMEMBERED);
  writeJson(key, Object.fromEntries(entries));
}

function rememberMore(key: string, match: string, seat: number, value: string): void {
  const known = readJson<Record<string, BySeat>>(key, {})[match] ?? {};
  remember(key, match, { ...known, [seat]: value });
}

export const identity = new Identity();
