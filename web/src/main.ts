// Where the page begins.
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { language } from './lib/language.svelte';
import { settings } from './lib/settings.svelte';

settings.show();
const target = document.getElementById('app');
if (target) void language.load().then(() => mount(App, { target }));
