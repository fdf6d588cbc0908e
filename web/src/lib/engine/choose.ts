// How a bot chooses among the candidates of a search, as `SearchResult.choose` in Python.
import type { Candidate } from './types';

type Judged = Pick<Candidate, 'action' | 'value' | 'visits'>;

/**
 * The best action; with a temperature above 0, sampled from a softmax over the values, weighted by
 * visits. `random` gives a number from 0 to 1.
 */
export function choose(
  candidates: readonly Judged[],
  temperature: number,
  random: () => number = Math.random,
): number {
  const [first] = candidates;
  if (!first) throw new Error('There is nothing to choose from.');
  if (temperature <= 0) return first.action;
  const best = Math.max(...candidates.map(({ value }) => value));
  const weights = candidates.map(
    ({ value, visits }) => visits * Math.exp((value - best) / temperature),
  );
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => (left -= weight) < 0);
  return (candidates[index] ?? candidates.at(-1) ?? first).action;
}

/** A seed for a search that nobody can predict. */
export function randomSeed(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
}
