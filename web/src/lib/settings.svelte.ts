// What a person has chosen for this browser: looks, language, motion, sound. Kept in the browser.

export type Theme = 'auto' | 'light' | 'dark';
export type Motion = 'auto' | 'full' | 'none';

const KEY = 'watermeet.settings';

class Settings {
  theme = $state<Theme>('auto');
  motion = $state<Motion>('auto');
  /** Whether a move waits for a second click. */
  confirm = $state(false);
  /** Whether the title of the page shows that it is one's turn. */
  title = $state(true);
  sound = $state(false);
  notify = $state(false);
  /** The code of a language, or empty for the browser's. */
  language = $state('');

  constructor() {
    const kept = readJson<Partial<Settings>>(KEY, {});
    this.theme = kept.theme ?? 'auto';
    this.motion = kept.motion ?? 'auto';
    this.confirm = kept.confirm ?? false;
    this.title = kept.title ?? true;
    this.sound = kept.sound ?? false;
    this.notify = kept.notify ?? false;
    this.language = kept.language ?? '';
  }

  /** Keeps what was chosen, and shows it. */
  save(): void {
    const { theme, motion, confirm, title, sound, notify, language } = this;
    writeJson(KEY, { theme, motion, confirm, title, sound, notify, language });
    this.show();
  }

  /** Tells the page's root, where the style sheet looks. */
  show(): void {
    document.documentElement.dataset['theme'] = this.theme;
    document.documentElement.dataset['motion'] = this.motion;
  }

  /** Whether things should move. */
  get isMoving(): boolean {
    if (this.motion !== 'auto') return this.motion === 'full';
    return !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }
}

/** What is kept under a name; a browser that keeps nothing gives what is said. */
export function readJson<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Keeps something; whether it could. */
export function writeJson(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const settings = new Settings();
