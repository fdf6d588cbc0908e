// The players of a match by their names: as the page writes them, and as values of messages.
import type { Player } from '../board/gameModule';
import { t } from '../app/language.svelte';
import { GUEST, isPlainLabel, playerName, seatLabel } from '../app/labels';
import type { NamesByLabel } from '../board/reasons.svelte';
import type { MatchSession } from './matchSession.svelte';
import { distinctNames } from '../board/status';

export class Players {
  #session: MatchSession;
  /** What the game calls the seats now. */
  readonly labels = $derived.by(() =>
    (this.#session.match.view?.seats ?? []).map((seat, number) => this.labelOf(seat.label, number)),
  );
  /** Those that say more than a number, which the badge shows. */
  readonly ownLabels = $derived.by(() =>
    this.labels.map((label, number) =>
      isPlainLabel(this.#session.match.view?.seats[number]?.label ?? '') ? '' : label,
    ),
  );
  readonly names = $derived.by(() =>
    this.#session.match.seats.map((seat, number) => {
      const label = this.labels[number] ?? '';
      // Nobody thinks of themselves as a guest.
      if (this.#isOwn(number) && seat.name === GUEST) return label;
      const name = playerName(seat, label);
      // Players at a shared screen are called by their seats, which may have changed colours.
      return this.labels.includes(name) ? label : name;
    }),
  );
  /** The names, with the seat's label where two are the same. */
  readonly distinct = $derived.by(() => distinctNames(this.names, this.labels));
  readonly list = $derived.by(() => {
    return this.distinct.map((name, seat): Player => ({
      name,
      who: this.#isOwn(seat) ? 'you' : 'other',
    }));
  });
  /** The same, for what isn't going on now: nobody is asked to do it. */
  readonly named = $derived.by(() => this.distinct.map((name): Player => ({ name, who: 'other' })));
  readonly byLabel = $derived.by((): NamesByLabel =>
    Object.fromEntries(
      (this.#session.match.view?.seats ?? []).map(({ label }, seat) => [
        label,
        this.distinct[seat] ?? label,
      ]),
    ),
  );
  /** Those of seats that are not called by a colour, which may be that of a stone. */
  readonly byNumber = $derived.by((): NamesByLabel =>
    Object.fromEntries(Object.entries(this.byLabel).filter(([label]) => /\d$/.test(label))),
  );
  /** The names, with `You` for our own. */
  readonly orYou = $derived.by(() =>
    this.list.map(({ name, who }) => (who === 'you' ? t('moves.you') : name)),
  );
  /** Those of the players' cards, whose labels stand beside them. */
  readonly cards = $derived.by(() =>
    this.names.map((name, seat) => (this.#isOwn(seat) ? t('moves.you') : name)),
  );
  /** How many people play, wherever they are. */
  readonly people = $derived.by(
    () => this.#session.match.seats.filter(({ who }) => who === 'person').length,
  );

  constructor(session: MatchSession) {
    this.#session = session;
  }

  #isOwn(seat: number): boolean {
    return seat === this.#session.match.seat && !this.#session.isHotseat;
  }

  /** What the game calls a seat, in the language of the page. */
  labelOf(label: string, seat: number): string {
    return seatLabel(this.#session.game, label, seat);
  }
}
