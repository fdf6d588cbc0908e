// Loads parts of the page when they are needed. Without a network, they come once it is back.
const TRIES = 3;
const PAUSE_MS = 2000;

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/api/health/live', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Waits a little, or until the browser says that it is online. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, PAUSE_MS);
    addEventListener('online', end);
  });
}

/** Loads a part; fails only if it can't be loaded, or fails itself, while the server answers. */
export async function lazy<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await load();
    } catch (error) {
      while (!(await isServerThere())) {
        tries = 0; // None of them says anything about the part.
        await pause();
      }
      if (tries >= TRIES) throw error;
    }
  }
}

/** Loads style sheets again that didn't come: Vite asks for each of them once. */
export function keepStyles(): void {
  const isLost = (target: EventTarget | null): target is HTMLLinkElement =>
    target instanceof HTMLLinkElement && target.rel === 'stylesheet' && !target.onerror;
  const loadAgain = (link: HTMLLinkElement): Promise<void> =>
    new Promise((resolve, reject) => {
      const next = link.cloneNode() as HTMLLinkElement;
      next.onload = () => resolve();
      next.onerror = () => {
        next.remove();
        reject(new Error(`There is no style sheet at ${next.href}.`));
      };
      document.head.append(next);
    });
  addEventListener(
    'error',
    ({ target }) => {
      if (!isLost(target)) return;
      target.remove();
      void lazy(() => loadAgain(target));
    },
    true, // Such an error doesn't bubble.
  );
}
