// Client-side routing: the address, and ways to change it without a page load.
import { segmentsOf } from './links';

class Router {
  path = $state(location.pathname);
  hash = $state(location.hash);
  search = $state(location.search);
  readonly segments = $derived(segmentsOf(this.path));

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => this.#read());
    document.addEventListener('click', (event) => this.#clicked(event));
  }

  /** Navigates to another page. */
  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#read();
    scrollTo(0, 0);
  }

  /** Sets a query parameter, so that the address can be shared; null removes it. */
  setParam(name: string, value: number | string | null): void {
    this.setParams({ [name]: value });
  }

  /** Sets several; with `isStep` the browser's Back undoes that. */
  setParams(values: Record<string, number | string | null>, isStep = false): void {
    const params = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value === null) params.delete(name);
      else params.set(name, String(value));
    }
    const search = params.size ? `?${params}` : '';
    const address = `${location.pathname}${search}${location.hash}`;
    if (isStep) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    this.#read();
  }

  /** A word of the query; empty if there is none. */
  param(name: string): string {
    return new URLSearchParams(this.search).get(name) ?? '';
  }

  /** A whole number from the query; null if there is none. */
  intParam(name: string): number | null {
    const value = new URLSearchParams(this.search).get(name);
    return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : null;
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
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin)
      return;
    if (link.pathname.startsWith('/api/') || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
