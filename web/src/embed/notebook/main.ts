// A match in a notebook: the board is here, the rules and the bots are in the notebook's kernel.
import '../../app/app.css';
import { mount } from 'svelte';
import { loadBoard } from '../../board/gameModule';
import { language } from '../../app/language.svelte';
import { settings } from '../../app/settings.svelte';
import type { Kernel } from './kernel';
import NotebookBoard from './NotebookBoard.svelte';

declare global {
  interface Window {
    /** What connects this frame to the kernel; the widget puts it here. */
    watermeet?: Kernel;
  }
}

async function start(kernel: Kernel, target: HTMLElement): Promise<void> {
  settings.apply();
  kernel.theme();
  const [module] = await Promise.all([loadBoard(kernel.shown().view.game), language.load()]);
  mount(NotebookBoard, { target, props: { kernel, module } });
}

const target = document.getElementById('app');
if (target && window.watermeet) void start(window.watermeet, target);
