// The settings of this browser: theme, language, animations, sound. Kept in localStorage.

export type Theme = 'auto' | 'light' | 'dark';
export type Motion = 'auto' | 'full' | 'none';

const KEY = 'watermeet.settings';

class Settings {
  theme = $state<Theme>('auto');
  motion = $state<Motion>('auto');
  /** Whether a move waits for confirmation. */
  confirm = $state(false);
  /** Whether the tab title shows whose turn it is. */
  title = $state(true);
  sound = $state(false);
  notify = $state(false);
  /** A language code, or empty for the browser's. */
  language = $state('');

  constructor() {
    const saved = readJson<Partial<Settings>>(KEY, {});
    this.theme = saved.theme ?? 'auto';
    this.motion = saved.motion ?? 'auto';
    this.confirm = saved.confirm ?? false;
    this.title = saved.title ?? true;
    this.sound = saved.sound ?? false;
    this.notify = saved.notify ?? false;
    this.language = saved.language ?? '';
  }

  /** Saves and applies the settings. */
  save(): void {
    const { theme, motion, confirm, title, sound, notify, language } = this;
    writeJson(KEY, { theme, motion, confirm, title, sound, notify, language });
    this.apply();
  }

  /** Sets the attributes that the style sheet reads. */
  apply(): void {
    document.documentElement.dataset['theme'] = this.theme;
    document.documentElement.dataset['motion'] = this.motion;
  }

  /** Whether to animate. */
  get isAnimated(): boolean {
    if (this.motion !== 'auto') return this.motion === 'full';
    return !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }
}

/** Reads a value from localStorage; `fallback` if there is none or storage is blocked. */
export function readJson<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Writes a value to localStorage; returns whether that worked. */
export function writeJson(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const settings = new Settings();
