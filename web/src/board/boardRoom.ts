// How much room the board leaves: everything that should be seen together with it, measured. Boards
// have trays of any height below their drawing, and matches have one to five opponents.

/** What is seen together with the board. Boards may use the same classes for things of their own. */
const STAGE = ['.stage > .status', '.stage > .bar'];
const TOGETHER = { wide: STAGE, narrow: ['.panel > .others', '.panel > .own', ...STAGE] };
/** Gaps, borders and padding. */
const GAPS = { wide: 46, narrow: 30 };
/** A change of fewer pixels isn't worth moving the board. */
const STILL = 4;

const heightOf = (element: Element | null | undefined): number =>
  element?.getBoundingClientRect().height ?? 0;

/** Keeps `--around` of the element at the height of what stands around its board's drawing. */
export function boardRoom(frame: HTMLElement, isWide: () => boolean): () => void {
  let around = 0;
  const measure = (): void => {
    const kind = isWide() ? 'wide' : 'narrow';
    const together = TOGETHER[kind].map((where) => heightOf(frame.querySelector(where)));
    const drawing = frame.querySelector('.board-frame .area > svg');
    const tray = drawing ? heightOf(frame.querySelector('.board-frame')) - heightOf(drawing) : 0;
    const parts = [heightOf(document.querySelector('header')), ...together, tray, GAPS[kind]];
    const sum = Math.round(parts.reduce((all, part) => all + part, 0));
    if (Math.abs(sum - around) < STILL) return;
    around = sum;
    frame.style.setProperty('--around', `${around}px`);
  };
  const observer = new ResizeObserver(measure);
  const observe = (): void => {
    observer.disconnect();
    for (const where of [...TOGETHER.narrow, '.board-frame']) {
      const found = frame.querySelector(where);
      if (found) observer.observe(found);
    }
  };
  // The board comes later than the page around it.
  const changes = new MutationObserver(observe);
  const board = frame.querySelector('.board');
  if (board) changes.observe(board, { childList: true });
  observe();
  return () => {
    observer.disconnect();
    changes.disconnect();
  };
}
