// How the client is built, and how its tests run. The boards of the games lie in their own folders.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';

const here = import.meta.dirname;
const out = join(here, '../src/watermeet/server/static');
const games = join(here, '../src/watermeet/games');

/** Writes the service worker, which names all files of this build; so a new build is a new worker. */
function worker(): Plugin {
  return {
    name: 'worker',
    apply: 'build',
    enforce: 'post', // Behind what makes the page.
    generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .map((name) => `/${name}`)
        .sort();
      const page = bundle['index.html'];
      const content = page?.type === 'asset' ? String(page.source) : '';
      const version = createHash('sha256')
        .update(files.join() + content)
        .digest('hex')
        .slice(0, 12);
      const source = readFileSync(join(here, 'worker.js'), 'utf8')
        .replace('__VERSION__', version)
        .replace("'__FILES__'", files.map((name) => `'${name}'`).join(', '));
      this.emitFile({ type: 'asset', fileName: 'worker.js', source });
    },
  };
}

/** Writes FILE.br and FILE.gz beside what is worth it: the server sends them as they are. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg|json|webmanifest)$/.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const content = readFileSync(file);
        if (content.length < 1000) continue;
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        writeFileSync(`${file}.br`, brotliCompressSync(content, quality));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  root: here,
  cacheDir: join(here, '../node_modules/.vite'), // Not among the sources, whose hash says what is stale.
  plugins: [svelte({ compilerOptions: { runes: true } }), worker(), compressed()],
  resolve: {
    alias: { '@watermeet': join(here, 'src') },
    dedupe: ['svelte'], // Boards of installed packages lie where there are no node_modules.
    // Without this vitest would take Svelte's server side, in which nothing reacts.
    ...(process.env['VITEST'] ? { conditions: ['browser'] } : {}),
  },
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // The Content-Security-Policy lets nothing inline run.
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: [join(here, '..')] },
    proxy: { '/api': { target: 'http://127.0.0.1:8765', ws: true } },
  },
  test: {
    include: ['src/**/*.test.ts', `${games}/*/web/**/*.test.ts`],
    environment: 'node',
  },
});
