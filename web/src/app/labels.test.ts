import { expect, test, vi } from 'vitest';
import { language } from './language.svelte';
import { deadlineText, slowTexts } from './labels';
import { settings } from './settings.svelte';
import type { Headline } from '../api/wire';

const HOUR = 3_600_000;

test('the time of a slow match in every language', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  const said: Record<string, string[]> = {};
  for (const code of ['en', 'fr', 'de', 'pl'] as const) {
    settings.language = code;
    await language.load();
    const times = [
      { turnMs: 71.9 * HOUR, reserveMs: 120 * HOUR },
      { turnMs: null, reserveMs: 24 * HOUR },
      { turnMs: -HOUR, reserveMs: 5.2 * HOUR },
    ];
    said[code] = times.map((time) => slowTexts(time).join(' · ').replace(/\s/g, ' '));
  }
  expect(said).toEqual({
    en: [
      '2 days 23 hr left · 5 days in reserve',
      '1 day in reserve',
      '5 hr 12 min left, from the reserve',
    ],
    fr: [
      'encore 2 jours 23 h · 5 jours en réserve',
      '1 jour en réserve',
      'encore 5 h 12 min, sur la réserve',
    ],
    de: [
      'noch 2 Tage 23 Std. · 5 Tage Reserve',
      '1 Tag Reserve',
      'noch 5 Std. 12 Min., aus der Reserve',
    ],
    pl: [
      'jeszcze 2 dni 23 godz. · w zapasie: 5 dni',
      'w zapasie: 1 dzień',
      'jeszcze 5 godz. 12 min, z zapasu',
    ],
  });
  const shown = (flag_at: number | null, reserve_ms: number): string =>
    deadlineText({ flag_at, reserve_ms } as Headline, 10 * HOUR).replace(/\s/g, ' ');
  expect(shown(20 * HOUR, 8 * HOUR)).toBe('jeszcze 2 godz.');
  expect(shown(15 * HOUR, 8 * HOUR)).toBe('jeszcze 5 godz., z zapasu');
  expect(shown(null, 0)).toBe('');
  expect(slowTexts({ turnMs: 30_000, reserveMs: 0 })).toEqual(['jeszcze 0 min']);
});
