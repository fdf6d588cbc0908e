import { describe, expect, test } from 'vitest';
import { leftMs, MatchState, sharedClockLeftMs, slowTime, playCommand } from './match.svelte';
import type { ClockInfo, Event, MatchDocument, Move, View } from '../api/wire';

const CLOCKS: ClockInfo = {
  remaining_ms: [],
  running: null,
  starts_by: null,
  since: 0,
  flag_at: null,
  timer_ends_at: null,
  timer_remaining_ms: null,
  bank_ms: [],
  vacations: [],
};
const PERSON = {
  who: 'person' as const,
  name: 'Ada',
  level: '',
  stand_in: '',
  left: '' as const,
  hints: 0,
  is_guest: false,
};

function view(toMove: number): View {
  return {
    ...{ game: 'g', version: 1, options: {}, sentence: '', board: null, outcome: null },
    to_move: toMove,
    seat: 0,
    legal: toMove === 0 ? [{ action: 3, move: 'a1' }] : [],
    seats: [],
  };
}
function document(more: Partial<MatchDocument> = {}): MatchDocument {
  return {
    seq: 4,
    stage: 'playing',
    view: view(0),
    state: null,
    undo: '',
    clocks: CLOCKS,
    seats: [PERSON, PERSON],
    host: null,
    offers: [],
    outcome: null,
    abort_reason: '',
    chance_count: 0,
    rematch: '',
    seat: 0,
    info: {} as MatchDocument['info'],
    client_seeds: [],
    secret: null,
    moves: [],
    present: null,
    ...more,
  };
}
function match(more: Partial<MatchDocument> = {}): MatchState {
  const found = new MatchState();
  found.apply({ type: 'snapshot', match: 'm', seq: 4, document: document(more) });
  return found;
}
function changes(found: MatchState, events: object[], more: Partial<MatchDocument> = {}): void {
  const {
    seat: _s,
    info: _t,
    client_seeds: _a,
    secret: _c,
    moves: _m,
    ...position
  } = document({ seq: 5, ...more });
  found.apply({
    type: 'changes',
    match: 'm',
    after: 4,
    seq: 5,
    events: events as Event[],
    position,
  });
}
const move = (seq: number, seat: number | null): Move => ({
  seq,
  at: 0,
  seat,
  move: 'a1',
  spent_ms: 0,
  by_timer: false,
  action: null,
});

describe('whose turn', () => {
  test('legal actions are there on the own turn alone', () => {
    expect(match().legal).toEqual([{ action: 3, move: 'a1' }]);
    expect(match({ view: view(1) }).legal).toEqual([]);
    expect(match({ stage: 'paused' }).legal).toEqual([]);
    expect(match({ seats: [{ ...PERSON, stand_in: 'brook' }, PERSON] }).isMyTurn).toBe(false);
    expect(match({ seat: null }).isMyTurn).toBe(false);
  });

  test('chance and the end are nobody', () => {
    expect(match({ view: view(-1) }).toMove).toBeNull();
    expect(match({ stage: 'finished', view: view(0) }).toMove).toBeNull();
  });
});

describe('changes', () => {
  test('moves are added and taken back', () => {
    const found = match({ moves: [move(4, 0)] });
    changes(found, [{ seq: 5, kind: 'played', at: 9, seat: 1, move: 'b2', spent_ms: 7 }], {
      view: view(1),
    });
    expect(found.moves.map((one) => one.move)).toEqual(['a1', 'b2']);
    expect(found.seat).toBe(0);
    changes(found, [{ seq: 6, kind: 'undone', at: 9, seat: 1, to_seq: 4 }]);
    expect(found.moves.map((one) => one.seq)).toEqual([4]);
  });

  test('a shared clock that runs out is a move of the clock', () => {
    const found = match();
    changes(found, [{ seq: 5, kind: 'timer_expired', at: 9, seat: 0, move: 'time', spent_ms: 0 }]);
    expect(found.moves[0]?.by_timer).toBe(true);
  });

  test('a refusal says why there is nothing', () => {
    const found = new MatchState();
    found.apply({ type: 'error', code: 'not_found', message: '', hint: '' });
    expect([found.problem, found.document]).toEqual(['not_found', null]);
  });
});

describe('offers and taking back', () => {
  test('what others offer is asked, what is mine waits', () => {
    const offer = { what: 'undo', seat: 1, to_seq: 3, accepted_by: [1] };
    expect(match({ offers: [offer] }).incomingOffers).toEqual([offer]);
    expect(match({ offers: [{ ...offer, accepted_by: [0] }] }).outgoingOffers).toHaveLength(1);
    expect(match({ offers: [offer], seat: null }).incomingOffers).toEqual([]);
  });

  test('a board takes back what was played in this turn, if the server lets it', () => {
    const undo = 'free' as const;
    expect(match({ moves: [move(4, 0)], undo }).canTakeBack).toBe(true);
    expect(match({ moves: [move(4, 0)], undo: 'consent' }).canTakeBack).toBe(false);
    expect(match({ moves: [move(4, 1)], undo }).canTakeBack).toBe(false);
    expect(match({ moves: [move(4, 0)], view: view(1), undo }).canTakeBack).toBe(false);
  });

  test('a move says what the page saw', () => {
    expect(playCommand(document(), 3)).toEqual({ type: 'play', move: 3, at_seq: 4 });
  });
});

test('presence says something about other people alone', () => {
  const found = match({ seats: [PERSON, PERSON, { ...PERSON, who: 'bot' }] });
  expect(found.isOnline(1)).toBeNull();
  found.online = [0];
  expect([0, 1, 2].map((seat) => found.isOnline(seat))).toEqual([null, false, null]);
  found.online = [0, 1];
  expect(found.isOnline(1)).toBe(true);
});

describe('clocks', () => {
  test('run for one seat, and stop at zero', () => {
    const clocks = {
      ...CLOCKS,
      remaining_ms: [60_000, 30_000],
      running: 1,
      since: 1000,
      flag_at: 31_000,
    };
    expect([leftMs(clocks, 0, 5000), leftMs(clocks, 1, 5000), leftMs(clocks, 1, 99_000)]).toEqual([
      60_000, 26_000, 0,
    ]);
    expect(leftMs(CLOCKS, 0, 0)).toBeNull();
  });

  test('in slow matches, a turn comes before the reserve', () => {
    const DAY = 86_400_000;
    const clocks = { ...CLOCKS, running: 1, flag_at: 8 * DAY, bank_ms: [2 * DAY, 5 * DAY] };
    expect(slowTime(clocks, 0, DAY)).toEqual({ turnMs: null, reserveMs: 2 * DAY });
    expect(slowTime(clocks, 1, DAY)).toEqual({ turnMs: 2 * DAY, reserveMs: 5 * DAY });
    expect(slowTime(clocks, 1, 7 * DAY)).toEqual({ turnMs: -4 * DAY, reserveMs: DAY });
    expect(slowTime({ ...clocks, flag_at: null }, 1, 0)?.turnMs).toBeNull();
    expect(slowTime(CLOCKS, 0, 0)).toBeNull();
  });

  test('the shared minute runs, or stands in a pause', () => {
    expect(sharedClockLeftMs({ ...CLOCKS, timer_ends_at: 60_000 }, 15_000)).toBe(45_000);
    expect(sharedClockLeftMs({ ...CLOCKS, timer_remaining_ms: 12_000 }, 0)).toBe(12_000);
    expect(sharedClockLeftMs(CLOCKS, 0)).toBeNull();
  });
});

test('an offer that comes while the match is read again stays', () => {
  const found = match({ stage: 'finished' });
  const offer = { what: 'rematch', seat: 1, to_seq: 4, accepted_by: [1] };
  const move: Move = {
    ...{ seq: 3, at: 0, seat: 1, move: 'shown', spent_ms: 0 },
    ...{ by_timer: false, action: 1 },
  };
  const read = document({ stage: 'finished', moves: [move] });
  found.document = { ...found.document!, seq: 5, offers: [offer] };
  found.reveal(read);
  expect(found.incomingOffers).toEqual([offer]);
  expect(found.moves).toEqual([move]);
  found.reveal({ ...read, seq: 6 });
  expect(found.incomingOffers).toEqual([]);
});
