import { describe, expect, it } from 'vitest';
import { chancesOf, mistakesOf, partsOf, shareOf } from './review.svelte';
import type { Decision, MatchReview } from '../api/wire';

const decision = (number: number, verdict: string, values: (number | null)[]): Decision =>
  ({ number, verdict, values }) as Decision;
const review = {
  worst: -2,
  best: 2,
  decisions: [
    decision(0, 'best', [0, null]),
    decision(1, 'blunder', [null, -2]),
    decision(4, 'inaccuracy', [1, null]),
    decision(5, 'good', [3, null]),
  ],
} as unknown as MatchReview;

describe('an analysis', () => {
  it('lists what gave something away', () => {
    expect(mistakesOf(review).map(({ number }) => number)).toEqual([1, 4]);
  });
  it('groups it by the parts of the match, where the game has some', () => {
    const whole = { ...review, sections: [] };
    expect(partsOf(whole).map(({ mistakes }) => mistakes.length)).toEqual([2]);
    const sections = [{ better: [1] }, { better: [] }, { better: [2] }];
    const parts = partsOf({ ...review, sections } as unknown as MatchReview);
    expect(parts.map(({ mistakes }) => mistakes.map(({ number }) => number))).toEqual([
      [1],
      [],
      [4],
    ]);
  });
  it('shows the chances of a seat where they are known', () => {
    expect(chancesOf(review, 0)).toEqual([
      { ply: 0, share: 0.5 },
      { ply: 4, share: 0.75 },
      { ply: 5, share: 1 },
    ]);
    expect(shareOf(-2, review)).toBe(0);
  });
});
