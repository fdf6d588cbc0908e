// The keys that all boards share: as people read them, and which text says what they do.
export const COMMON = [
  ['← ↑ → ↓', 'arrows'], ['Enter', 'choose'], ['N', 'next'], ['W', 'where'], ['L', 'line'], ['M', 'mine'], ['Y', 'why'],
  ['⌫', 'back'], ['Esc', 'escape'], ['+ − 0', 'zoom'], ['?', 'keys'],
] as const;
