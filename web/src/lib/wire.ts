// Written by scripts/wire.py from the server's own description: edit that instead.

/** The number of the socket's protocol. */
export const PROTOCOL = 1;

/** What happens when somebody is away for long. */
export interface AbsenceTold {
  rule: "claim" | "stand_in" | "wait";
  level: string;
}

/** What happens when who is to move has been away for too long. */
export interface AbsenceWish {
  rule?: "claim" | "stand_in" | "wait";
  level?: string;
}

/** A new user; the token is shown this once. */
export interface AccountMade {
  user: string;
  token: string;
  name: string | null;
}

/** Says yes or no to what another offers. */
export interface Answer {
  do: "answer";
  what: string;
  yes: boolean;
}

/** Nothing has happened for a while, and the line is whole. */
export interface Beat {
  type: "beat";
  now: number;
}

/** The last message: why the socket is closed, and what would do. */
export interface Bye {
  type: "bye";
  code: string;
  hint: string;
}

/** What happened behind entry ``after``, and how the match stands since. */
export interface Changes {
  type: "changes";
  match: string;
  after: number;
  seq: number;
  events: Record<string, unknown>[];
  position: PositionTold;
}

/** Says that another has been away for too long. */
export interface Claim {
  do: "claim";
  absent: number;
  how?: "out" | "stand_in";
}

/** Where clocks stand; times are the server's, in milliseconds since 1970. */
export interface ClocksTold {
  left_ms: number[];
  running: number | null;
  since: number;
  flag_at: number | null;
  minute_ends: number | null;
  minute_left_ms: number | null;
}

/** What was asked is done, for good: its entry in the match's log has this number. */
export interface CommandDone {
  id: string;
  match: string;
  seq: number;
}

/** Wants something done for its seat of a match that it follows. */
export interface Do {
  type: "do";
  id: string;
  match: string;
  command: Play | Undo | Offer | Answer | Resign | Claim | HandBack | Leave | Salt;
}

/** What was asked is done, for good: its entry has this number. */
export interface Done {
  type: "done";
  id: string;
  match: string;
  seq: number;
}

/** How a match stood after ``ply`` of its ``plies`` actions; ``view`` is the game's own. */
export interface EarlierPosition {
  ply: number;
  plies: number;
  view: Record<string, unknown>;
}

/** Wants to hear of a match: as the seat of the token, or of the user; else as a watcher. */
export interface Follow {
  type: "follow";
  match: string;
  token?: string;
  after?: number | null;
}

export type FromClient = Hello | Follow | Unfollow | Do | Ping | Sign;

export type FromServer = Welcome | Snapshot | Changes | Done | Refused | Pong | Signed | Bye | Beat | Turn | Over;

/** A game: the facts that it declares, and the levels of its bots. */
export interface GameFacts {
  name: string;
  levels: string[];
  facts: Record<string, unknown>;
}

/** All games. */
export interface GameList {
  games: GameFacts[];
}

/** Takes the seat back from the bot that stood in. */
export interface HandBack {
  do: "hand_back";
}

/** What lists show of a match. */
export interface Headline {
  options: Record<string, boolean | number | string>;
  seats: SeatTold[];
  to_move: number | null;
  returns: number[] | null;
}

/** Whether the server is well. */
export interface Health {
  status: "ok";
}

/** The first message: which protocol, and whose device or bot account. */
export interface Hello {
  type: "hello";
  protocol: number;
  token?: string;
}

/** Somebody sits down. */
export interface Joining {
  invitation?: string;
  name?: string;
  salt?: string;
}

/** Stands up before the match begins. */
export interface Leave {
  do: "leave";
}

/** All that who asks may know of a match. */
export interface MatchDocument {
  seq: number;
  stage: "open" | "playing" | "paused" | "over" | "gone";
  view: Record<string, unknown>;
  state: string | null;
  clocks: ClocksTold;
  seats: SeatTold[];
  offers: OfferTold[];
  outcome: OutcomeTold | null;
  draws: number;
  rematch: string;
  seat: number | null;
  table: TableTold;
  salts: string[];
  secret: string | null;
  moves: MoveTold[];
}

/** Matches, as asked for. */
export interface MatchList {
  matches: MatchListed[];
}

/** A match in a list. */
export interface MatchListed {
  match: string;
  game: string;
  stage: string;
  created_at: number;
  changed_at: number;
  headline: Headline;
}

/** A new match. For each seat that is kept for somebody: a token, and a link that holds it. */
export interface MatchMade {
  match: string;
  seat: SeatTaken | null;
  invitations: Record<string, string>;
  links: Record<string, string>;
}

/** Who a token is. */
export interface Me {
  user: string;
  name: string | null;
  kind: string;
}

/** An action that stands; ``move`` is null where who asks could not see it. */
export interface MoveTold {
  seq: number;
  at: number;
  seat: number | null;
  move: string | null;
  spent_ms: number;
  by_clock: boolean;
  action?: number | null;
}

/** A name to be kept. */
export interface NameWish {
  name: string;
}

/** A table to be laid. */
export interface NewMatch {
  game: string;
  options?: Record<string, boolean | number | string>;
  seats: SeatWish[];
  timing?: TimingWish;
  absence?: AbsenceWish;
  minute_percent?: number;
  is_public?: boolean;
  watch_delay_s?: number;
  sit?: number | null;
  start?: StartWish | null;
}

/** A record to be brought in: the text, as ``GET /api/matches/{match}/record`` gives it. */
export interface NewRecord {
  record: string;
}

/** Asks the others: undo, pause, resume, draw, stop or rematch. */
export interface Offer {
  do: "offer";
  what: string;
  to_seq?: number | null;
}

/** What somebody offers, and who has agreed. */
export interface OfferTold {
  what: string;
  seat: number;
  to_seq: number;
  yes: number[];
}

/** What Do says, by REST: the match is in the address. */
export interface Order {
  id: string;
  command: Play | Undo | Offer | Answer | Resign | Claim | HandBack | Leave | Salt;
}

/** How a match ended; ``facts`` are the words in the sentence, for other languages. */
export interface OutcomeTold {
  returns: number[];
  winners: number[];
  by: string;
  reason: string;
  sentence: string;
  facts: Record<string, string | number>;
}

/** A match of the user is over; without an outcome it is gone. */
export interface Over {
  type: "over";
  match: string;
  seat: number;
  seq: number;
  outcome: Record<string, unknown> | null;
}

/** Is still there, and measures the line and the server's clock. */
export interface Ping {
  type: "ping";
  sent?: number;
}

/** A move by its text, or an action by its number. */
export interface Play {
  do: "play";
  move: string | number;
  at_seq?: number | null;
}

/** The answer to a ping: the server's clock, in milliseconds since 1970. */
export interface Pong {
  type: "pong";
  sent: number;
  now: number;
}

/** What changes with every entry. ``view`` is the game's own: its state as who asks sees it. */
export interface PositionTold {
  seq: number;
  stage: "open" | "playing" | "paused" | "over" | "gone";
  view: Record<string, unknown>;
  state: string | null;
  clocks: ClocksTold;
  seats: SeatTold[];
  offers: OfferTold[];
  outcome: OutcomeTold | null;
  draws: number;
  rematch: string;
}

/** An error: the code is stable, the message says what was wrong, the hint what would do. */
export interface Problem {
  code: string;
  message: string;
  hint: string;
  explanation?: Record<string, unknown> | null;
}

/** What of a game is compiled; a server that is new on its machine does it once, in minutes. */
export interface Readiness {
  rules: boolean;
  bots: boolean;
}

/** A record was brought in: it is shown as this match. */
export interface RecordBroughtIn {
  match: string;
  moves: number;
}

/** What was asked is not done, or the message could not be read. */
export interface Refused {
  type: "refused";
  code: string;
  message: string;
  hint: string;
  id?: string | null;
  match?: string | null;
  explanation?: Record<string, unknown> | null;
}

/** Gives up. */
export interface Resign {
  do: "resign";
}

/** Adds salt to the draws, before the match begins. */
export interface Salt {
  do: "salt";
  salt: string;
}

/** A seat was taken; the token speaks for it, on any device, and is shown this once. */
export interface SeatTaken {
  match: string;
  seat: number;
  token: string;
}

/** Who sits on a seat, and who plays there. */
export interface SeatTold {
  who: "open" | "invited" | "bot" | "person";
  name: string;
  level: string;
  stand_in: string;
  is_out: boolean;
}

/** Who may sit on a seat: anybody, somebody with a link, or a bot of a level. */
export interface SeatWish {
  who?: "open" | "invited" | "bot";
  level?: string | "";
}

/** Shows partners something, such as a cell or a move that is thought of. Nothing is kept. */
export interface Sign {
  type: "sign";
  match: string;
  what: string;
}

/** A partner's sign. It has no number, and who is away misses it. */
export interface Signed {
  type: "signed";
  match: string;
  seat: number;
  what: string;
}

/** All that the seat may know of a match. */
export interface Snapshot {
  type: "snapshot";
  match: string;
  seq: number;
  document: MatchDocument;
}

/** Where the match begins: as another one was after so many actions, draws counted. */
export interface StartWish {
  match: string;
  ply: number;
}

/** What was chosen when the match was made; ``has_secrets`` follows from game and options. */
export interface TableTold {
  match: string;
  game: string;
  version: number;
  options: Record<string, boolean | number | string>;
  has_secrets: boolean;
  timing: TimingTold;
  absence: AbsenceTold;
  minute_ms: number | null;
  is_public: boolean;
  watch_delay_s: number;
  commitment: string;
  is_played_on: boolean;
  rematch_of: string;
}

/** The clock of a table: none, days for each turn, or a bank with an increment. */
export interface TimingTold {
  kind: "none" | "days" | "live";
  days?: number | null;
  bank_ms?: number | null;
  increment_ms?: number | null;
}

/** No clock; days for each turn; or a bank of time with an increment. */
export interface TimingWish {
  kind?: "none" | "days" | "live";
  days?: number;
  bank_ms?: number;
  increment_ms?: number;
}

/** It is the user's turn in a match; told anew whenever the state has changed. */
export interface Turn {
  type: "turn";
  match: string;
  seat: number;
  seq: number;
  table: Record<string, unknown>;
  position: Record<string, unknown>;
}

/** Takes back, without asking, where that is free. */
export interface Undo {
  do: "undo";
  to_seq?: number | null;
}

/** Wants to hear of it no more. */
export interface Unfollow {
  type: "unfollow";
  match: string;
}

/** What runs here. */
export interface Version {
  version: string;
  protocol: number;
}

/** The answer to hello. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  version: string;
  now: number;
  name: string | null;
  ping_ms: number;
  silence_ms: number;
}
