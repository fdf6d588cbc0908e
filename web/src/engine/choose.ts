// How a bot chooses among the candidates of a search, as `SearchResult.choose` in Python.
import type { Candidate } from './types';

type Judged = Pick<Candidate, 'action' | 'value' | 'visits' | 'proven'>;

/**
 * The best action; with a temperature above 0, sampled from a softmax over the values, weighted by
 * visits. A proven win is always taken, and a proven loss only if there is nothing else. `random`
 * gives a number from 0 to 1.
 */
export function choose(
  candidates: readonly Judged[],
  temperature: number,
  random: () => number = Math.random,
): number {
  const [first] = candidates;
  if (!first) throw new Error('There is nothing to choose from.');
  if (temperature <= 0 || first.proven) return first.action;
  const open = candidates.filter(({ proven }) => !proven);
  const best = Math.max(...open.map(({ value }) => value));
  const weights = open.map(({ value, visits }) => visits * Math.exp((value - best) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return first.action; // Whatever was visited is lost.
  let left = random() * total;
  const index = weights.findIndex((weight) => (left -= weight) < 0);
  return (open[index] ?? open.at(-1) ?? first).action;
}

/** A seed for a search that nobody can predict. */
export function randomSeed(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
}
