import { expect, test } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.ts', '../**/*.svelte', '!../**/*.test.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
/** Static imports, those of types included. */
const IMPORT = /^\s*(?:import|export)\b[^'"]*? from '(\.[^']+)'/gm;

/** `../ui/a` seen from `../play/B.svelte`, as a key of `sources`. */
function resolve(from: string, path: string): string {
  const found = new URL(path, `file:///src/app/${from}`).pathname.replace('/src/', '../');
  const local = found.replace('../app/', './');
  return [local, `${local}.ts`].find((one) => one in sources) ?? local;
}

test('no module imports itself through others', () => {
  const cyclic: string[] = [];
  const done = new Set<string>();
  function visit(file: string, path: string[]): void {
    if (path.includes(file)) cyclic.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const [, target = ''] of (sources[file] ?? '').matchAll(IMPORT)) {
      visit(resolve(file, target), [...path, file]);
    }
    done.add(file);
  }
  for (const file of Object.keys(sources)) visit(file, []);
  expect(Object.keys(sources).length).toBeGreaterThan(40);
  expect(cyclic).toEqual([]);
});
