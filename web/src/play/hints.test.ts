import { describe, expect, test } from 'vitest';
import { comparison, share, standing } from './hintWords';
import type { CandidateInfo } from '../api/wire';

const RANGE = { worst: -1, best: 1 };
function candidate(value: number, visits = 100): CandidateInfo {
  return { action: 0, visits, value, proven: false, line: [] };
}

describe('what a hint says', () => {
  test('a value is measured from a draw, also where losing costs less than winning brings', () => {
    expect(share(0.5, { worst: -0.5, best: 1 })).toBe(0.5);
    expect(share(-0.5, { worst: -0.5, best: 1 })).toBe(-1);
    expect(share(0.4, { worst: 0, best: 0 })).toBe(0);
  });
  test('how somebody stands', () => {
    expect([0.9, 0.3, 0.1, -0.1, -0.3, -0.9].map(standing)).toEqual([
      'winning',
      'ahead',
      'even',
      'even',
      'behind',
      'losing',
    ]);
  });
  test('moves are compared by their values, or by how soon one was given up', () => {
    expect(comparison(candidate(0.3), candidate(0.29), RANGE)).toBe('equal');
    expect(comparison(candidate(0.3), candidate(0.2), RANGE)).toBe('better');
    expect(comparison(candidate(0.3), candidate(0), RANGE)).toBe('clear');
    expect(comparison(candidate(0.2), candidate(0.3), RANGE)).toBe('weaker');
    expect(comparison(candidate(0), candidate(0.3), RANGE)).toBe('muchWeaker');
    expect(comparison(candidate(0.3), candidate(0.4, 3), RANGE)).toBe('clear');
    expect(comparison(candidate(0.4, 3), candidate(0.3), RANGE)).toBe('muchWeaker');
  });
});
