// Where buttons can lie on a board without hiding a cell.
import type { Spot } from './cursor';
import type { Box } from './viewport.svelte';

export interface Corner {
  isRight: boolean;
  isTop: boolean;
}

/** The width of a button with its margin, in pixels. */
const BUTTON = 48;
const CORNERS: Corner[] = [
  { isRight: true, isTop: false },
  { isRight: false, isTop: false },
  { isRight: true, isTop: true },
  { isRight: false, isTop: true },
];

/**
 * A corner of the drawing where a button hides no cell; null if there is none. `cell` is the width of
 * a cell in board units; `width` and `height` are those of the drawing in pixels, in which the board
 * is centred.
 */
export function freeCorner(
  spots: Spot[],
  box: Box,
  cell: number,
  width: number,
  height: number,
): Corner | null {
  if (!width || !height) return CORNERS[0]!;
  const scale = Math.min(width / box.width, height / box.height);
  const left = (width - box.width * scale) / 2;
  const top = (height - box.height * scale) / 2;
  const far = (BUTTON + cell * scale) / 2;
  return (
    CORNERS.find(({ isRight, isTop }) => {
      const x = isRight ? width - BUTTON / 2 : BUTTON / 2;
      const y = isTop ? BUTTON / 2 : height - BUTTON / 2;
      return spots.every(
        (spot) =>
          Math.hypot(left + (spot.x - box.x) * scale - x, top + (spot.y - box.y) * scale - y) > far,
      );
    }) ?? null
  );
}
