// The page's one engine, for hints and for bots. Its script is loaded when it is first needed.
import type { Engine } from './engine';

let engine: Engine | null = null;

/** The engine; null if this browser can't run one. */
export async function sharedEngine(): Promise<Engine | null> {
  const { Engine } = await import('./engine');
  return Engine.isSupported ? (engine ??= new Engine()) : null;
}
