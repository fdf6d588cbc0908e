// The lobby as it is now: seeks, open matches, who is online, and one's own seeks and challenges.
// Whoever is paired, or whose challenge is accepted, is taken to the match.
import { readMatch } from './api';
import { readMe } from './company';
import type { LobbyUpdate } from './connection.svelte';
import { identity } from './identity.svelte';
import { Refusal } from './refusal';
import { router } from './router.svelte';
import { readJson, writeJson } from './settings.svelte';
import { getConnection } from './sharedConnection.svelte';
import type { ChallengeInfo, MatchSummary, SeekInfo } from './wire';

/** A server may have died before it created the match: another one does within seconds. */
const TRIES = 10;
const RETRY_MS = 1000;
const ENTERED = 'watermeet.paired';

class LiveLobby {
  /** Everybody's seeks; those with their owners waiting longest first. */
  seeks = $state.raw<SeekInfo[]>([]);
  /** Open matches; null before the server has sent any. */
  open = $state.raw<MatchSummary[] | null>(null);
  online = $state(0);
  /** What we seek. */
  own = $state.raw<SeekInfo[]>([]);
  challenges = $state.raw<ChallengeInfo[]>([]);
  /** Others' seeks, which we can join. */
  readonly others = $derived.by(() => {
    const mine = new Set(this.own.map((seek) => seek.id));
    return this.seeks.filter((seek) => !mine.has(seek.id));
  });
  /** Whether we have an account, and so may play rated matches. */
  isRegistered = $state(false);
  #asked = '';
  #watchers = 0;
  /** The last match that we were taken to. */
  entered = readJson<string>(ENTERED, '');
  /** Our challenges that were open when we last heard of them. */
  #sent = new Set<string>();

  /** Watches what concerns us; nobody without a token is concerned. */
  start(): void {
    if (identity.token) this.#watch();
  }

  /** Watches the lists, too; returns how to stop. */
  watch(): () => void {
    this.#watchers += 1;
    this.#watch();
    return () => {
      this.#watchers -= 1;
      this.#watch();
    };
  }

  /** The token of this browser, whose news come from now on. */
  async identify(): Promise<string> {
    const token = await identity.ensureToken();
    getConnection().identify(token);
    this.#watch();
    return token;
  }

  #watch(): void {
    const what = this.#watchers > 0 ? 'all' : identity.token ? 'own' : 'nothing';
    const connection = getConnection();
    connection.identify(identity.token);
    void this.#askWhoWeAre();
    connection.watchLobby(what, (update) => this.take(update));
  }

  async #askWhoWeAre(): Promise<void> {
    if (identity.token === this.#asked && this.isRegistered) return; // A guest may sign up.
    if (identity.token !== this.#asked) this.isRegistered = false;
    this.#asked = identity.token;
    if (identity.token)
      this.isRegistered = await readMe(identity.token).then(
        (me) => me.is_registered,
        () => false, // A guest, as far as we know.
      );
  }

  /** Takes news from the server. */
  take(update: LobbyUpdate): void {
    if (update.type === 'lobby') {
      this.seeks = update.seeks;
      this.open = update.open;
      this.online = update.online;
    } else if (update.type === 'seeking') {
      this.#takeSeeking(update.seeks, update.match);
    } else {
      const accepted = update.challenges.find((one) => one.match && this.#sent.has(one.id));
      const sent = update.challenges.filter((one) => one.is_mine && one.status === 'open');
      this.#sent = new Set(sent.map((one) => one.id));
      this.challenges = update.challenges;
      if (accepted?.match) void this.enter(accepted.match);
    }
  }

  #takeSeeking(seeks: SeekInfo[], match: string | null): void {
    const wasSeeking = this.own.length > 0;
    this.own = seeks;
    if (match && wasSeeking) void this.enter(match);
  }

  /** Takes the response to a request about seeks. */
  responded(seeks: SeekInfo[], match: string | null): void {
    this.own = seeks;
    if (match) void this.enter(match);
  }

  /** Goes to a match in which we have a seat. */
  async enter(match: string): Promise<void> {
    if (match === this.entered) return;
    this.entered = match;
    writeJson(ENTERED, match);
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const { seat } = await readMatch(match, identity.token);
        if (seat !== null) await identity.join(match, seat);
        break;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'not_found') break;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    router.go(`/match/${match}`);
  }
}

export const live = new LiveLobby();
