// The lobby as it is now: seeks, open matches, who is online, and one's own seeks and challenges.
// Whoever waits is taken to the match when they are paired or their challenge is accepted, unless they
// are at another match or typing something: then a notice shows the way.
import { getMatch } from '../api/endpoints/matches';
import { getMe } from '../api/endpoints/people';
import type { LobbyUpdate } from '../api/connection.svelte';
import { identity } from '../people/identity.svelte';
import { Refusal } from '../api/refusal';
import { router } from '../app/router.svelte';
import { readJson, writeJson } from '../app/settings.svelte';
import { getConnection } from '../api/sharedConnection.svelte';
import { unread } from '../people/unread.svelte';
import type { ChallengeInfo, MatchSummary, SeekInfo } from '../api/wire';

/** A server may have died before it created the match: another one does within seconds. */
const TRIES = 10;
const RETRY_MS = 1000;
const ENTERED = 'watermeet.paired';

/** Whether a page may be left without asking: no match is played there, and nothing half typed is lost. */
function mayLeave(path: string): boolean {
  if (path.startsWith('/match/')) return false;
  const field = document.activeElement?.closest(
    'input:not([type=radio], [type=checkbox]), textarea',
  );
  return !(field as HTMLInputElement | null)?.value;
}

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
  /** Whether guests chat on this server. */
  guestChat = $state(false);
  /** Whether we may chat at matches. */
  readonly mayChat = $derived.by(() => this.isRegistered || this.guestChat);
  #asked = '';
  #watchers = 0;
  /** The last match that we were taken to. */
  entered = readJson<string>(ENTERED, '');
  /** A match that is ready, and its game, if known: the page shows the way there. */
  ready = $state.raw<{ match: string; game: string } | null>(null);
  /** The seeks and challenges of this page, rather than of another device of ours. */
  #made = new Set<string>();
  #isMaking = false;

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
    this.#isMaking = true;
    const token = await identity.ensureToken();
    getConnection().identify(token);
    this.#watch();
    return token;
  }

  #watch(): void {
    const what = this.#watchers > 0 ? 'all' : identity.token ? 'own' : 'nothing';
    const connection = getConnection();
    connection.identify(identity.token);
    connection.friendListeners.add(unread.take);
    void this.#askWhoWeAre();
    connection.watchLobby(what, (update) => this.take(update));
  }

  async #askWhoWeAre(): Promise<void> {
    if (identity.token === this.#asked && this.isRegistered) return; // A guest may sign up.
    if (identity.token !== this.#asked) this.isRegistered = false;
    this.#asked = identity.token;
    if (identity.token)
      this.isRegistered = await getMe(identity.token).then(
        (me) => {
          this.guestChat = me.guest_chat;
          return me.is_registered;
        },
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
      // News of a challenge that is accepted at once may be the first that we hear of it.
      const before = new Map(this.challenges.map((one) => [one.id, one.match]));
      this.challenges = update.challenges;
      this.#arriveAt(
        update.challenges.filter(
          ({ id, is_mine }) => is_mine && !before.get(id) && (before.has(id) || this.#made.has(id)),
        ),
      );
    }
  }

  #takeSeeking(seeks: SeekInfo[], match: string | null): void {
    const before = this.own;
    this.own = seeks;
    if (match && before.length) this.#arrive(match, before);
  }

  /** Takes the response to a request about seeks. */
  responded(seeks: SeekInfo[], match: string | null): void {
    const before = this.own;
    this.made(...seeks);
    this.own = seeks;
    if (match) this.#arrive(match, before, true);
  }

  /** Notes that this page made these seeks or challenges, and goes where one was accepted already. */
  made(...made: { id: string }[]): void {
    this.#isMaking = false;
    const ids = new Set(made.map(({ id }) => id));
    for (const id of ids) this.#made.add(id);
    this.#arriveAt(this.challenges.filter((one) => ids.has(one.id)));
  }

  /** Goes to the match of a challenge that was accepted, if one was. */
  #arriveAt(challenges: ChallengeInfo[]): void {
    const accepted = challenges.find((one) => one.match);
    if (accepted?.match) this.#arrive(accepted.match, [accepted]);
  }

  /** Goes to a match that we waited for; else shows the way. Days per turn can wait. */
  #arrive(match: string, wanted: (SeekInfo | ChallengeInfo)[], isAnswer = false): void {
    if (match === this.entered || match === this.ready?.match) return;
    const isWaiting =
      isAnswer ||
      wanted.some(
        (one) =>
          one.time_control.type !== 'correspondence' && (this.#isMaking || this.#made.has(one.id)),
      );
    const games = new Set(wanted.map(({ game }) => game));
    if (isWaiting && mayLeave(router.path)) void this.enter(match);
    else this.ready = { match, game: games.size === 1 ? [...games][0]! : '' };
  }

  /** Goes to a match in which we have a seat. */
  async enter(match: string): Promise<void> {
    if (match === this.entered) return;
    this.entered = match;
    this.ready = null;
    writeJson(ENTERED, match);
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const { seat } = await getMatch(identity.token, match);
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
