// Sizes of text, spaces, corners and widths at which pages change: from app.css alone, everywhere.
import { describe, expect, it } from 'vitest';

const sources = import.meta.glob<string>(
  [
    '/src/app/app.css',
    '/src/**/*.svelte',
    '../../../src/watermeet/games/*/web/**/*.svelte',
    '../../../examples/*/src/*/web/**/*.svelte',
  ],
  { eager: true, query: '?raw', import: 'default' },
);
const WIDTHS = new Set(['560px', '900px', '1200px']);

/** The style sheet of a file without its comments. */
function styles(source: string): string {
  const text = sources[source]!;
  const style = source.endsWith('.css') ? text : (/<style>(.*)<\/style>/s.exec(text)?.[1] ?? '');
  return style.replaceAll(/\/\*.*?\*\//gs, '');
}

/** What a declaration has beside tokens, or nothing. A length without a token is a literal. */
function literal(source: string, property: string, value: string): string | undefined {
  const isDrawing = !source.startsWith('/src/');
  if (property === 'font' || property === 'font-size')
    // Text in a drawing is measured in the drawing's units.
    return (isDrawing ? /[\d.]+(rem|em|%)/ : /[\d.]+(rem|em|px|%)/).exec(value)?.[0];
  if (/^(margin|padding|gap|row-gap|column-gap)/.test(property))
    return /[\d.]+(rem|em|px)/.exec(value)?.[0];
  if (property.endsWith('radius')) return /[\d.]+(rem|em|px|%)/.exec(value)?.[0];
  if (property === 'font-family') return value.includes('var(--font)') ? undefined : value;
  return undefined;
}

/** All literals in a style sheet that a token should stand for. */
function literals(source: string): string[] {
  const css = styles(source);
  const found: string[] = [];
  for (const [, property = '', value = ''] of css.matchAll(
    /(?<=^|[;{\s])([a-z-]+):\s+([^;{}]+)/g,
  )) {
    const wrong = literal(source, property, value);
    if (wrong) found.push(`${property}: ${wrong}`);
  }
  for (const [query] of css.matchAll(/@media[^{]*/g))
    for (const [width] of query.matchAll(/[\d.]+(px|r?em)/g))
      if (!WIDTHS.has(width)) found.push(query.trim());
  return found;
}

/** The tokens of one kind that app.css declares. */
function declared(kind: string): number {
  return new Set(styles('/src/app/app.css').match(new RegExp(`--${kind}-\\w+(?=:)`, 'g'))).size;
}

describe('the looks', () => {
  it.each(Object.keys(sources))('of %s are made of tokens', (source) => {
    expect(literals(source)).toEqual([]);
  });

  it('need few of them', () => {
    expect([declared('text'), declared('space'), declared('radius')]).toEqual([6, 6, 3]);
  });
});
