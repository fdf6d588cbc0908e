import { expect, test, vi } from 'vitest';

vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
const { recolour } = await import('./pictures.svelte');

test('pictures get the colours of the page', () => {
  const svg = '<svg><path fill="#EEE7DB" stroke="#fff"/><path d="M0 0" fill="url(#fff)"/></svg>';
  expect(recolour(svg, { '#eee7db': 'rgb(1, 2, 3)' })).toBe(svg.replace('#EEE7DB', 'rgb(1, 2, 3)'));
});
