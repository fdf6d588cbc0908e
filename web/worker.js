// The service worker: keeps the page itself for a slow or absent line, so that it opens at once and can
// say what is the matter. What the server tells under /api/ is never kept. A new version waits until no
// page of the old one is open: an open page always finds the files that belong to it.
const VERSION = '__VERSION__'; // Both are filled in when the client is built.
const FILES = ['__FILES__'];
const CACHE = `watermeet-${VERSION}`;
/** So long a page is waited for before the kept one is shown. */
const PATIENCE_MS = 2500;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['/', ...FILES])));
});

self.addEventListener('activate', (event) => {
  const forget = async () => {
    const old = (await caches.keys()).filter(
      (name) => name.startsWith('watermeet-') && name !== CACHE,
    );
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (
    request.method !== 'GET' ||
    url.origin !== location.origin ||
    url.pathname.startsWith('/api/')
  )
    return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (FILES.includes(url.pathname)) event.respondWith(file(request));
});

/** The newest page there is: from the server, or the kept one when that takes too long. */
async function page(request) {
  const answer = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  try {
    const found = await Promise.race([answer, late]);
    if (found && found.status < 500) return found;
  } catch {
    // No line: the kept one will do.
  }
  return (await kept('/')) ?? answer;
}

/** A file whose name changes with its content. */
async function file(request) {
  return (await kept(request)) ?? fetch(request);
}

async function kept(request) {
  return (await caches.open(CACHE)).match(request);
}
