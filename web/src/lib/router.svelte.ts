// Which page is shown: the address, and ways to change it without loading anew.

class Router {
  path = $state(location.pathname);
  hash = $state(location.hash);
  search = $state(location.search);
  /** The words of the path: `/match/abc` is `match` and `abc`. */
  readonly words = $derived(this.path.split('/').filter(Boolean).map(decodeURIComponent));

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => this.#read());
    document.addEventListener('click', (event) => this.#clicked(event));
  }

  /** Goes to another page. */
  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#read();
    scrollTo(0, 0);
  }

  /** Says more of the page that is shown, so that its address can be passed on; null: says it no more. */
  tell(word: string, value: number | null): void {
    const words = new URLSearchParams(location.search);
    if (value === null) words.delete(word);
    else words.set(word, String(value));
    const search = words.size ? `?${words}` : '';
    history.replaceState(null, '', `${location.pathname}${search}${location.hash}`);
    this.#read();
  }

  /** A whole number that the address tells of the page; null if it tells none. */
  number(word: string): number | null {
    const told = new URLSearchParams(this.search).get(word);
    return told !== null && /^\d{1,6}$/.test(told) ? Number(told) : null;
  }

  #read(): void {
    this.path = location.pathname;
    this.hash = location.hash;
    this.search = location.search;
  }

  #clicked(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname.startsWith('/api/') || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
