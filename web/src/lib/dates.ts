// Points in time as people say them.
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
];
const WEEK_MS = 7 * 86_400_000;

/** How long ago something was: `now`, `5 minutes ago`, `yesterday`, or its date. */
export function timeAgo(then: number, locale: string, now = Date.now()): string {
  const passed = Math.max(0, now - then);
  if (passed >= WEEK_MS) return new Date(then).toLocaleDateString(locale, { dateStyle: 'medium' });
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const [unit, length] = UNITS.findLast(([, ms]) => passed >= ms) ?? ['second', 0];
  return format.format(length ? -Math.floor(passed / length) : 0, unit);
}
