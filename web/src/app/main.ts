// The entry point.
import '@fontsource-variable/figtree';
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { language } from './language.svelte';
import { keepStyles } from './lazy';
import { settings } from './settings.svelte';
import { unlockSounds } from '../ui/sound';

settings.apply();
unlockSounds();
keepStyles();
const target = document.getElementById('app');
if (target) void language.load().then(() => mount(App, { target }));

// A file of this page is gone once the server has a newer one: then that is loaded.
addEventListener('vite:preloadError', () => {
  const isCurrent = async (): Promise<boolean> =>
    (await (await fetch('/', { cache: 'no-store' })).text()).includes(
      new URL(import.meta.url).pathname,
    );
  void isCurrent().then(
    (isSame) => isSame || location.reload(),
    () => {}, // Offline.
  );
});

// The service worker caches the page for slow or missing connections, after everything else. The
// texts that are awaited above may have taken longer than the page.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = (): void => void navigator.serviceWorker.register('/worker.js').catch(() => {}); // Optional.
  if (document.readyState === 'complete') register();
  else addEventListener('load', register);
}
