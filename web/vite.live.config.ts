// Builds the boards that play without a server, for the documentation site: dist/live.
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const here = import.meta.dirname;

export default defineConfig({
  root: here,
  base: './', // Wherever the files are put.
  publicDir: false,
  cacheDir: join(here, '../node_modules/.vite-live'),
  plugins: [svelte({ compilerOptions: { runes: true } })],
  resolve: { alias: { '@watermeet': join(here, 'src') }, dedupe: ['svelte'] },
  build: {
    outDir: join(here, '../dist/live'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { live: join(here, 'live.html'), board: join(here, 'src/embed/element.ts') },
      output: {
        entryFileNames: ({ name }) => (name === 'board' ? 'board.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
