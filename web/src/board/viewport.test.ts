import { expect, test } from 'vitest';
import { Viewport, MAX_ZOOM } from './viewport.svelte';

const box = { x: -50, y: -40, width: 100, height: 80 };

test('at first all is seen', () => {
  const viewport = new Viewport(() => box);
  expect(viewport.frame).toEqual(box);
  viewport.pan(30, 30);
  expect(viewport.frame).toEqual(box);
  expect(viewport.isZoomed).toBe(false);
});

test('a place stays where it is seen', () => {
  const viewport = new Viewport(() => box);
  viewport.zoomBy(2, { x: 25, y: 0 });
  const { x, width } = viewport.frame;
  expect([width, (25 - x) / width]).toEqual([50, 0.75]);
  viewport.zoomBy(100);
  expect(viewport.zoom).toBe(MAX_ZOOM);
  viewport.zoomBy(0.001);
  expect(viewport.frame).toEqual(box);
});

test('what is seen stays on the board', () => {
  const viewport = new Viewport(() => box);
  viewport.zoomBy(2);
  viewport.pan(1000, -1000);
  expect(viewport.frame).toEqual({ x: 0, y: -40, width: 50, height: 40 });
  viewport.fit();
  expect(viewport.frame).toEqual(box);
});

test('a place out of sight is shown', () => {
  const viewport = new Viewport(() => box);
  viewport.zoomBy(2);
  viewport.show({ x: 45, y: 0 }, 5);
  expect(viewport.frame.x + viewport.frame.width).toBe(50);
  const before = viewport.frame;
  viewport.show({ x: 40, y: 0 }, 5);
  expect(viewport.frame).toEqual(before);
});

test('an endless board is seen from farther away, too', () => {
  const viewport = new Viewport(() => box, true);
  viewport.zoomBy(0.5);
  expect(viewport.frame.width).toBe(200);
  viewport.pan(20, 0);
  expect(viewport.frame.x).toBe(-80);
});

test('a board that grows is shown as before if somebody has zoomed', () => {
  let whole = box;
  const viewport = new Viewport(() => whole, true);
  viewport.zoomBy(2, { x: 25, y: 0 });
  const before = viewport.frame;
  expect(viewport.isByHand).toBe(true);
  whole = { x: -50, y: -40, width: 160, height: 128 };
  viewport.keep(before);
  expect(viewport.zoom).toBeCloseTo(3.2);
  viewport.fit();
  expect([viewport.frame, viewport.isByHand]).toEqual([whole, false]);
});

test('the board is aimed at a place only if it has to be', () => {
  const viewport = new Viewport(() => box, true);
  viewport.aim({ x: 40, y: 30 }, { width: 120, height: 90 });
  expect(viewport.frame).toEqual(box);
  viewport.aim({ x: 20, y: 10 }, { width: 50, height: 40 });
  expect(viewport.frame).toEqual({ x: -5, y: -10, width: 50, height: 40 });
  viewport.aim({ x: -40, y: 10 }, { width: 50, height: 100 }); // Not beyond the edges.
  expect(viewport.frame).toEqual({ x: -50, y: -20, width: 50, height: 40 });
  expect(viewport.isByHand).toBe(false);
});
