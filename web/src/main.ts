// Where the page begins.
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { language } from './lib/language.svelte';
import { settings } from './lib/settings.svelte';

settings.show();
const target = document.getElementById('app');
if (target) void language.load().then(() => mount(App, { target }));

// The page is kept for a slow or absent line, once all that it needed first has come.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register('/worker.js').catch(() => {})); // It is a help, no need.
}
