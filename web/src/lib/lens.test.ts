import { expect, test } from 'vitest';
import { Lens, NEAREST } from './lens.svelte';

const box = { x: -50, y: -40, width: 100, height: 80 };

test('at first all is seen', () => {
  const lens = new Lens(() => box);
  expect(lens.frame).toEqual(box);
  lens.pan(30, 30);
  expect(lens.frame).toEqual(box);
  expect(lens.isNear).toBe(false);
});

test('a place stays where it is seen', () => {
  const lens = new Lens(() => box);
  lens.zoomBy(2, { x: 25, y: 0 });
  const { x, width } = lens.frame;
  expect([width, (25 - x) / width]).toEqual([50, 0.75]);
  lens.zoomBy(100);
  expect(lens.zoom).toBe(NEAREST);
  lens.zoomBy(0.001);
  expect(lens.frame).toEqual(box);
});

test('what is seen stays on the board', () => {
  const lens = new Lens(() => box);
  lens.zoomBy(2);
  lens.pan(1000, -1000);
  expect(lens.frame).toEqual({ x: 0, y: -40, width: 50, height: 40 });
  lens.fit();
  expect(lens.frame).toEqual(box);
});

test('a place out of sight is shown', () => {
  const lens = new Lens(() => box);
  lens.zoomBy(2);
  lens.show({ x: 45, y: 0 }, 5);
  expect(lens.frame.x + lens.frame.width).toBe(50);
  const before = lens.frame;
  lens.show({ x: 40, y: 0 }, 5);
  expect(lens.frame).toEqual(before);
});

test('an endless board is seen from farther away, too', () => {
  const lens = new Lens(() => box, true);
  lens.zoomBy(0.5);
  expect(lens.frame.width).toBe(200);
  lens.pan(20, 0);
  expect(lens.frame.x).toBe(-80);
});
