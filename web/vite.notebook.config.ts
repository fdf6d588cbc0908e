// Builds the boards for notebooks, as one script and one style sheet, which a widget carries along:
// src/watermeet/notebook/static.
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const here = import.meta.dirname;

/** The pictures of the home page aren't needed beside a board. */
function withoutPictures(): Plugin {
  return {
    name: 'without-pictures',
    enforce: 'pre',
    load: (id) => (id.endsWith('/picture.svg?url') ? "export default ''" : null),
  };
}

export default defineConfig({
  root: here,
  publicDir: false,
  cacheDir: join(here, '../node_modules/.vite-notebook'),
  plugins: [withoutPictures(), svelte({ compilerOptions: { runes: true } })],
  resolve: { alias: { '@watermeet': join(here, 'src') }, dedupe: ['svelte'] },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: join(here, '../src/watermeet/notebook/static'),
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    lib: {
      entry: join(here, 'src/embed/notebook/main.ts'),
      formats: ['es'],
      fileName: () => 'board.js',
      cssFileName: 'board',
    },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: false } },
  },
});
