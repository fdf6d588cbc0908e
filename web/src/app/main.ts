// The entry point.
import '@fontsource-variable/figtree';
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { language } from './language.svelte';
import { settings } from './settings.svelte';
import { unlockSounds } from '../ui/sound';

settings.apply();
unlockSounds();
const target = document.getElementById('app');
if (target) void language.load().then(() => mount(App, { target }));

// The service worker caches the page for slow or missing connections, after everything else.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener(
    'load',
    () => void navigator.serviceWorker.register('/worker.js').catch(() => {}),
  ); // Optional.
}
