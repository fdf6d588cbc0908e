// The settings of this browser: looks, language, animations, sound. Kept in localStorage.

export type Theme = 'auto' | 'light' | 'dark';
/** When a move waits to be confirmed. */
export type Confirm = 'never' | 'touch' | 'always';
export type Motion = 'auto' | 'full' | 'none';
export const BOARD_THEMES = ['classic', 'contrast', 'safe'] as const;
export type BoardTheme = (typeof BOARD_THEMES)[number];

const KEY = 'watermeet.settings';
const SAVED = [
  'theme',
  'board',
  'motion',
  'pace',
  'confirm',
  'title',
  'sound',
  'volume',
  'haptics',
  'notify',
  'talk',
  'language',
] as const;

class Settings {
  theme = $state<Theme>('auto');
  /** The colours of boards; empty until somebody chooses. */
  board = $state<BoardTheme | ''>('');
  motion = $state<Motion>('auto');
  /** How long each action of a bot is shown before the next, in milliseconds. */
  pace = $state(500);
  /** When a move that is chosen on the board waits to be confirmed. */
  confirm = $state<Confirm>('touch');
  /** Whether bots may think in this browser. */
  /** Whether the field for typed moves is unfolded. */
  /** Whether the tab title shows whose turn it is. */
  title = $state(true);
  sound = $state(true);
  /** How loud sounds are, 0 to 100. */
  volume = $state(30);
  /** Whether phones vibrate. */
  haptics = $state(true);
  notify = $state(false);
  /** Whether to show what others say. */
  talk = $state(true);
  /** A language code, or empty for the browser's. */
  language = $state('');

  constructor() {
    const saved = readJson<Record<string, unknown>>(KEY, {});
    for (const name of SAVED)
      if (typeof saved[name] === typeof this[name]) Object.assign(this, { [name]: saved[name] });
  }

  /** Saves and applies the settings. */
  save(): void {
    writeJson(KEY, Object.fromEntries(SAVED.map((name) => [name, this[name]])));
    this.apply();
  }

  /** Sets the attributes that the style sheet reads. */
  apply(): void {
    document.documentElement.dataset['theme'] = this.theme;
    document.documentElement.dataset['boardTheme'] = this.boardTheme;
    document.documentElement.dataset['motion'] = this.motion;
  }

  /** The colours of boards: those chosen, or what the system asks for. */
  get boardTheme(): BoardTheme {
    if (this.board) return this.board;
    return matchMedia('(prefers-contrast: more)').matches ? 'contrast' : 'classic';
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
