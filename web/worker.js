// The service worker caches what every page begins with, and later whatever was opened, so that the
// page opens at once on a slow connection and can say what is wrong without one. Nothing under /api/
// is cached.
const VERSION = '__VERSION__'; // The build fills in both.
const FILES = ['__FILES__'];
const CACHE = `watermeet-${VERSION}`;
/** How long to wait for the server before showing the cached page. */
const PATIENCE_MS = 2500;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['/', ...FILES])));
});

self.addEventListener('activate', (event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter(
      (name) => name.startsWith('watermeet-') && name !== CACHE,
    );
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clean());
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
  else if (url.pathname.startsWith('/assets/')) event.respondWith(file(request));
});

/** The page from the server, or the cached one if that takes too long. */
async function page(request) {
  const response = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  try {
    const found = await Promise.race([response, late]);
    if (found && found.status < 500) return found;
  } catch {
    // Offline.
  }
  return (await cached('/')) ?? response;
}

/** A file, which never changes: its name has a hash of its content. */
async function file(request) {
  const known = await cached(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

async function cached(request) {
  return (await caches.open(CACHE)).match(request);
}

// Push messages: somebody's turn, a challenge, a match that begins. The server has written the text.
self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(announce(event.data.json()));
});

async function announce({ title, body, url, tag, lang }) {
  const address = new URL(url, location.origin);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const isSeen = pages.some(
    (page) => page.visibilityState === 'visible' && new URL(page.url).pathname === address.pathname,
  );
  if (isSeen) return;
  await self.registration.showNotification(title, {
    body,
    tag,
    lang,
    renotify: true,
    icon: '/icon-192.png',
    data: { path: address.pathname },
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

/** Goes to the page of a path: the one that shows it, or a new one. */
async function open(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = pages.find((page) => new URL(page.url).pathname === path);
  return shown ? shown.focus() : self.clients.openWindow(path);
}
