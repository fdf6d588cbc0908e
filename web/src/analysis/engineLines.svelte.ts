// What an engine thinks of the position on the analysis board: how it stands, and the best lines. The
// browser thinks, in a worker, and shows what it has found so far; where there is no engine the
// server thinks.
import { untrack } from 'svelte';
import type { AnalysisBoard } from './analysisBoard.svelte';
import { describeLines, getAnalysisTask, thinkAbout } from '../api/endpoints/analysis';
import { hasEngine } from '../engine/shared';
import type { Engine, SearchResult } from '../engine/engine';
import { sharedEngine } from '../engine/shared';
import { Refusal } from '../api/refusal';
import { readJson, writeJson } from '../app/settings.svelte';
import type { LineMove, LinesRequest } from '../api/wire';

/** How long a position is thought about, and the room for it. */
const LIMITS = { seconds: 40, maxNodes: 250_000 };
export const SHOWN = 3;
/** A position that is only passed by isn't thought about. */
const WAIT_MS = 180;
/** How often lines are put into words, at most. */
const WORDS_MS = 600;
const KEY = 'watermeet.engine';

export interface BestLine {
  /** Its first move, and those that are known after it. */
  moves: LineMove[];
  /** The return that the mover expects. */
  value: number;
  visits: number;
  isProven: boolean;
}

export interface Found {
  position: string;
  seat: number;
  worst: number;
  best: number;
  nodes: number;
  seconds: number;
  lines: BestLine[];
  isHere: boolean;
  isThreat: boolean;
}

export class Lines {
  isOn = $state(readJson(KEY, false));
  /** Whether it knows everything, and not only what the player to move knew. */
  isOpen = $state(false);
  /** Whether it shows what the other player would do. */
  isThreat = $state(false);
  /** Whether it waits, because a position is being set up. */
  isPaused = $state(false);
  found = $state.raw<Found | null>(null);
  isThinking = $state(false);
  /** Why there is nothing: the code of a refusal. */
  problem = $state.raw<unknown>(null);
  #board: AnalysisBoard;
  #words = new Map<string, LineMove[]>();
  #described = 0;

  constructor(board: AnalysisBoard) {
    this.#board = board;
  }

  toggle(): void {
    this.isOn = !this.isOn;
    writeJson(KEY, this.isOn); // If storage is blocked, until the page is left.
  }

  /** The text of the position with the other player to move; null where nobody can pass. */
  readonly passed = $derived.by(() => {
    const { view, node, module } = this.#board;
    if (!view || !node || view.to_move < 0) return null;
    return module?.passTurn?.(node.position, view) ?? null;
  });

  /** Thinks about the position on the board until the returned function is called. */
  follow(): (() => void) | undefined {
    const { node, isCurrent, view } = this.#board;
    const isThreat = this.isThreat && this.passed !== null;
    const position = isThreat ? this.passed : node?.position;
    const isWanted = this.isOn && !this.isPaused && isCurrent && view !== null && view.to_move >= 0;
    // What is found must not begin a new search.
    untrack(() => {
      this.problem = null;
      if (!isWanted || this.found?.position !== position) this.found = null;
    });
    if (!isWanted || !position) return undefined;
    const stop = new AbortController();
    const wanted = { ...this.#board.request(position), is_open: this.isOpen };
    const timer = setTimeout(() => void this.#think(wanted, isThreat, stop.signal), WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }

  async #think(
    wanted: Omit<LinesRequest, 'lines'>,
    isThreat: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    this.isThinking = true;
    this.#words.clear();
    try {
      const engine = await sharedEngine();
      const isHere = engine !== null && (await this.#thinkHere(engine, wanted, isThreat, signal));
      if (!isHere && !signal.aborted) await this.#askServer(wanted, isThreat, signal);
    } catch (error) {
      if (!signal.aborted) this.problem = error;
    } finally {
      if (!signal.aborted) this.isThinking = false;
    }
  }

  /** Returns whether there is an engine. */
  async #thinkHere(
    engine: Engine,
    wanted: Omit<LinesRequest, 'lines'>,
    isThreat: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      if (!(await hasEngine(wanted.game))) return false;
      const { module, task, worst, best } = await getAnalysisTask(wanted);
      if (signal.aborted) return true;
      const about = { position: wanted.position ?? '', seat: task.seat, worst, best, isThreat };
      const show = (result: SearchResult): void => {
        if (signal.aborted) return;
        this.#show(result, about);
        void this.#describe(result, wanted, about, signal);
      };
      const result = await engine.think(module, task, LIMITS, { onProgress: show, signal });
      this.#described = 0;
      show(result);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'not_found') throw error;
      return false;
    }
  }

  #show(
    result: SearchResult,
    about: Pick<Found, 'position' | 'seat' | 'worst' | 'best' | 'isThreat'>,
  ): void {
    const { candidates, lines, nodes, seconds, proven } = result;
    this.found = {
      ...about,
      nodes,
      seconds,
      isHere: true,
      lines: candidates.slice(0, SHOWN).map(({ move, value, visits, proven: own }, place) => ({
        moves: this.#words.get(String(lines[place] ?? [])) ?? [{ move, seat: about.seat }],
        value,
        visits,
        isProven: own !== 0 || (proven && place === 0 && nodes > 0),
      })),
    };
  }

  /** Puts the lines into words, if there are new ones and some time has passed. */
  async #describe(
    result: SearchResult,
    wanted: Omit<LinesRequest, 'lines'>,
    about: Pick<Found, 'position' | 'seat' | 'worst' | 'best' | 'isThreat'>,
    signal: AbortSignal,
  ): Promise<void> {
    const fresh = result.lines.filter((line) => line.length > 1 && !this.#words.has(String(line)));
    if (!fresh.length || performance.now() < this.#described + WORDS_MS) return;
    this.#described = performance.now();
    const { lines } = await describeLines({ ...wanted, lines: fresh }).catch(() => ({ lines: [] }));
    if (signal.aborted) return;
    lines.forEach((moves, place) => this.#words.set(String(fresh[place]), moves));
    this.#show(result, about);
  }

  async #askServer(
    wanted: Omit<LinesRequest, 'lines'>,
    isThreat: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { is_open: _, ...position } = wanted;
    const { candidates, worst, best, nodes, seconds } = await thinkAbout(position);
    if (signal.aborted) return;
    const mover = this.#board.view?.to_move ?? 0;
    const seat = isThreat ? 1 - mover : mover;
    this.found = {
      ...{ position: wanted.position ?? '', seat, worst, best, nodes, seconds, isThreat },
      isHere: false,
      lines: candidates.slice(0, SHOWN).map(({ line, value, visits, proven }) => ({
        moves: line.map(({ move }) => ({ move, seat })),
        value,
        visits,
        isProven: proven,
      })),
    };
  }
}

/** A value as a share of what can be won. */
export const shareOf = (value: number, { worst, best }: Pick<Found, 'worst' | 'best'>): number =>
  best > worst ? Math.min(1, Math.max(0, (value - worst) / (best - worst))) : 0.5;
