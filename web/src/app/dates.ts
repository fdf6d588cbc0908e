// Points in time, and lengths of it, as people say them.
const UNITS: ['minute' | 'hour' | 'day', number][] = [
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
  const [unit, length] = UNITS.findLast(([, ms]) => passed >= ms) ?? (['second', 0] as const);
  return format.format(length ? -Math.floor(passed / length) : 0, unit);
}

/** A length of time in its two largest units: `2 days 23 hr`, `5 hr 12 min`, `0 min`. */
export function spanText(ms: number, locale: string): string {
  const largest = UNITS.findLastIndex(([, length]) => ms >= length);
  const [first, second] = [Math.max(0, largest), largest - 1];
  const say = (place: number, count: number): string => {
    const [unit] = UNITS[place]!;
    const unitDisplay = unit === 'day' ? 'long' : 'short';
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(count);
  };
  const whole = Math.floor(ms / UNITS[first]![1]);
  const rest = second < 0 ? 0 : Math.floor((ms % UNITS[first]![1]) / UNITS[second]![1]);
  return rest ? `${say(first, whole)} ${say(second, rest)}` : say(first, whole);
}
