// <watermeet-board game="flume" size="7" level="brook">: a live board for any page, in a frame beside this
// script, as high as it needs to be. It is dark where the page is.
/** Room for shadows below the board, in pixels. */
const MARGIN = 8;

class LiveBoardElement extends HTMLElement {
  connectedCallback(): void {
    if (this.firstElementChild?.tagName === 'IFRAME') return;
    const frame = document.createElement('iframe');
    const given = [...this.attributes].map(({ name, value }): [string, string] => [name, value]);
    const query = new URLSearchParams([...given, ['theme', theme()]]);
    frame.src = new URL(/* @vite-ignore */ `live.html?${query}`, import.meta.url).href;
    frame.title = this.getAttribute('label') ?? 'A board to play on';
    frame.style.cssText = 'border: 0; display: block; width: 100%';
    frame.addEventListener('load', () => follow(frame));
    this.replaceChildren(frame);
  }
}

/** What Material and Zensical call dark is `slate`. */
function theme(): string {
  return document.body.dataset['mdColorScheme'] === 'slate' ? 'dark' : 'light';
}

/** Keeps the frame as high as its content, and in the colours of this page. */
function follow(frame: HTMLIFrameElement): void {
  const inside = frame.contentDocument;
  const content = inside?.getElementById('app');
  if (!inside || !content) return;
  // Not the body's height, which is at least that of the frame.
  const grow = (): void => {
    frame.style.height = `${Math.ceil(content.getBoundingClientRect().height) + MARGIN}px`;
  };
  new ResizeObserver(grow).observe(content);
  const paint = (): void => {
    inside.documentElement.dataset['theme'] = theme();
  };
  new MutationObserver(paint).observe(document.body, { attributeFilter: ['data-md-color-scheme'] });
}

customElements.define('watermeet-board', LiveBoardElement);
