// Searches in Node: for each line of JSON with a module, a task, nodes and a seed, the seconds it took.
// Node 24 runs the page's own TypeScript as it is.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { EngineModule } from '../web/src/lib/engine/module.ts';
import { Search } from '../web/src/lib/engine/search.ts';

const modules = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const { file, task, nodes, seed } = JSON.parse(line);
  if (!modules.has(file))
    modules.set(file, new EngineModule(new WebAssembly.Module(readFileSync(file))));
  const search = new Search(modules.get(file), task, { nodes, seed: BigInt(seed) });
  while (!search.step());
  console.log(JSON.stringify(search.result().seconds));
}
