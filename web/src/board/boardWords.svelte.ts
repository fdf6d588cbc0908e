// The words around a board, whatever is played on it — a match, a lesson, a puzzle, an analysis, the
// explorer: who plays, what was just played, why a move was refused. And what the board gets of them.
import { MediaQuery } from 'svelte/reactivity';
import type { BoardContext } from './boardContext';
import type { BoardModel } from './boardModel.svelte';
import type { Player, Translate } from './gameModule';
import { errorText, seatLabel } from '../app/labels';
import { language, t } from '../app/language.svelte';
import type { View } from '../api/wire';
import type { Values } from '../app/messageFormat';
import { reasonSentence, withNames, type NamesByLabel } from './reasons.svelte';
import { Refusal } from '../api/refusal';
import { newsOf } from './status';
import { boardText } from '../messages/board';

/** `to_move` of a position that is over. */
export const OVER = -2;

const narrow = new MediaQuery('width < 560px');
/** How many letters a bubble has on a phone, at most. */
const SHORT = 70;

/** The players, given what the game calls their seats. */
type Called = (labels: string[]) => Player[];

/** Players without names, one of whom may be the reader. */
export const bySeat =
  (you: () => number | null = () => null): Called =>
  (labels) =>
    labels.map((name, seat) => ({ name, who: seat === you() ? 'you' : 'other' }));

export class BoardWords {
  readonly #model: BoardModel;
  readonly #called: Called;
  readonly #view: () => View | null;
  /** A text of the game in the language of the page. */
  readonly text: Translate = (key, values) => language.ofGame(this.#model.game, key, values) ?? key;
  /** What the game calls the seats. */
  readonly labels = $derived.by(() => {
    const { game } = this.#model;
    return (this.#view()?.seats ?? []).map((seat, place) => seatLabel(game, seat.label, place));
  });
  readonly players = $derived.by(() => this.#called(this.labels));
  readonly names = $derived.by(() => this.players.map(({ name }) => name));
  readonly byLabel = $derived.by((): NamesByLabel =>
    Object.fromEntries(
      (this.#view()?.seats ?? []).map(({ label }, seat) => [label, this.names[seat] ?? label]),
    ),
  );
  /** Those of seats that are not called by a colour, which may be that of a stone. */
  readonly byNumber = $derived.by((): NamesByLabel =>
    Object.fromEntries(Object.entries(this.byLabel).filter(([label]) => /\d$/.test(label))),
  );
  readonly facts = $derived.by(() => ({
    module: this.#model.module,
    gameText: this.text,
    players: this.players,
    names: this.players.map(({ name, who }) => (who === 'you' ? t('moves.you') : name)),
  }));
  /** The new moves as a screen reader announces them. */
  readonly announcement = $derived.by(() => {
    const { viewBefore, newMoves, wasUndone } = this.#model;
    const view = this.#view();
    if (wasUndone) return boardText('undone');
    if (!view) return '';
    return newMoves
      .flatMap((move) => newsOf(move, view, viewBefore, this.facts) ?? [])
      .join('. ')
      .replaceAll(/([.!?…])\. /g, '$1 ');
  });
  /** Why the last attempt was refused. */
  readonly reason = $derived.by(() => {
    const { game, said } = this.#model;
    const { code, facts, sentence } = said?.explanation ?? {};
    if (typeof code !== 'string') return said instanceof Refusal ? errorText(said) : '';
    return reasonSentence(game, code, (facts ?? {}) as Values, String(sentence), this.byNumber);
  });
  /**
   * A refusal is shown once: beside its cell, if the board has one for it. On a phone a long one
   * would lie on the cells that it is about.
   */
  readonly isAtCell = $derived.by(() => {
    const { module, refusedCells } = this.#model;
    if (!module || !refusedCells.length) return false;
    return !narrow.current || this.reason.length <= SHORT;
  });
  /** What happens now. */
  readonly status = $derived.by(() => {
    const { module } = this.#model;
    const view = this.#view();
    if (!view) return '';
    return (
      module?.status?.(view, this.text, this.players) ?? withNames(view.sentence, this.byLabel)
    );
  });

  /** `view` is what is shown, where that may be something else than what is played. */
  constructor(model: BoardModel, called = bySeat(), view = (): View | null => model.view) {
    this.#model = model;
    this.#called = called;
    this.#view = view;
  }

  /** A move as people write it. */
  readonly formatMove = (move: string): string =>
    this.#model.module?.formatMove?.(move, this.text) ?? move;

  /** A turn in words, beside a board that marks its moves. */
  readonly turnWords = (moves: string[]): string => {
    const { module } = this.#model;
    const said = moves.filter((move) => !module?.isQuiet?.(move));
    return module?.turnWords?.(said, this.text) ?? said.map(this.formatMove).join(', ');
  };

  /** What the board gets; `run` reports what goes wrong, and `own` is what is special here. */
  context(run: (work: Promise<void>) => void, own: Partial<BoardContext>): BoardContext {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const words = this;
    const model = this.#model;
    const usual: BoardContext = {
      get you() {
        const seat = words.players.findIndex(({ who }) => who === 'you');
        return seat < 0 ? null : seat;
      },
      get reason() {
        return words.isAtCell ? words.reason : '';
      },
      get refusedCells() {
        return model.refusedCells;
      },
      get announcement() {
        return words.announcement;
      },
      get newMoves() {
        return model.newMoves;
      },
      get lastSeat() {
        return model.lastSeat;
      },
      get isOver() {
        return words.#view()?.to_move === OVER;
      },
      sharedClockMs: null,
      undo: null,
      hint: [],
      signs: [],
      sign: null,
      get pending() {
        return model.pending;
      },
      get unseen() {
        return model.unseen;
      },
      dismiss: () => model.dismiss(),
      explain: (move, cell) => run(model.explain(move, cell)),
    };
    return Object.defineProperties(usual, Object.getOwnPropertyDescriptors(own));
  }
}
