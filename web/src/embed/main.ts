// A board that plays without a server, on a page of its own: live.html?game=NAME. Other pages show it in
// a frame, by the element that element.ts defines.
import '@fontsource-variable/figtree';
import '../app/app.css';
import { mount } from 'svelte';
import { loadBoard } from '../board/gameModule';
import { EngineModule } from '../engine/module';
import { language, t } from '../app/language.svelte';
import { loadLocalGame, type LocalFacts } from '../engine/localGames';
import { settings } from '../app/settings.svelte';
import LiveBoard from './LiveBoard.svelte';

const wanted = new URLSearchParams(location.search);
const theme = wanted.get('theme');
settings.apply();
if (theme) document.documentElement.dataset['theme'] = theme;

async function start(target: HTMLElement): Promise<void> {
  const game = wanted.get('game') ?? '';
  const address = new URL(`engines/${encodeURIComponent(game)}.json`, location.href);
  const facts = (await (await fetch(address)).json()) as LocalFacts;
  const engine = new URL(facts.engine, address).href;
  const [module, local, compiled] = await Promise.all([
    loadBoard(game),
    loadLocalGame(game),
    WebAssembly.compileStreaming(fetch(engine)),
    language.load(),
  ]);
  if (!module || !local) throw new Error(`${game} can't be played without a server.`);
  const rules = new EngineModule(compiled);
  target.textContent = '';
  mount(LiveBoard, { target, props: { facts, module, local, rules, engine, wanted } });
}

const target = document.getElementById('app');
if (target) {
  target.textContent = t('app.loading');
  start(target).catch((error: unknown) => (target.textContent = String(error)));
}
