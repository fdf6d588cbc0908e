// Builds the client and runs its unit tests. The boards are in the folders of the games.
/// <reference types="vitest/config" />
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const here = import.meta.dirname;
const out = join(here, '../src/watermeet/server/static');
const games = join(here, '../src/watermeet/games');
const examples = join(here, '../examples');

/** Writes the service worker, which lists the files that every page begins with. */
function worker(): Plugin {
  return {
    name: 'worker',
    apply: 'build',
    enforce: 'post', // After the page is made.
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const shell = new Set<string>();
      const add = (name: string): void => {
        const chunk = chunks.find(({ fileName }) => fileName === name);
        if (!chunk || shell.has(name)) return;
        shell.add(name);
        chunk.viteMetadata?.importedCss.forEach((file) => shell.add(file));
        chunk.imports.forEach(add);
      };
      for (const { isEntry, fileName } of chunks) if (isEntry) add(fileName);
      const files = [...shell].map((file) => `/${file}`).sort();
      const page = bundle['index.html'];
      const content = page?.type === 'asset' ? String(page.source) : '';
      const version = createHash('sha256')
        .update(Object.keys(bundle).sort().join() + content)
        .digest('hex')
        .slice(0, 12);
      const source = readFileSync(join(here, 'worker.js'), 'utf8')
        .replace('__VERSION__', version)
        .replace("'__FILES__'", files.map((name) => `'${name}'`).join(', '));
      this.emitFile({ type: 'asset', fileName: 'worker.js', source });
    },
  };
}

/** Writes FILE.br and FILE.gz beside every larger file, for the server to send. */
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
        // 11 makes 7% less of it, and takes five seconds more.
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
        writeFileSync(`${file}.br`, brotliCompressSync(content, quality));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  root: here,
  cacheDir: join(here, '../node_modules/.vite'), // Outside the sources, whose hash tells what is stale.
  plugins: [svelte({ compilerOptions: { runes: true } }), worker(), compressed()],
  resolve: {
    alias: { '@watermeet': join(here, 'src') },
    dedupe: ['svelte'], // The boards of installed packages have no node_modules.
    // Otherwise vitest would load Svelte's server build, where nothing is reactive.
    ...(process.env['VITEST'] ? { conditions: ['browser'] } : {}),
  },
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // The Content-Security-Policy forbids inline code.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    fs: { allow: [join(here, '..')] },
    proxy: { '/api': { target: 'http://127.0.0.1:8765', ws: true } },
  },
  test: {
    css: { include: /app\.css/ }, // Read by the test of its contrasts.
    include: [
      'src/**/*.test.ts',
      `${games}/*/web/**/*.test.ts`,
      `${examples}/*/src/*/web/**/*.test.ts`,
    ],
    environment: 'node',
    reporters: ['dot'],
  },
});
