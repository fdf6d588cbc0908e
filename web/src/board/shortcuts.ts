// The keyboard shortcuts of all boards: the key, and the text that says what it does.
export const SHORTCUTS = [
  ['← ↑ → ↓', 'arrows'],
  ['Enter', 'choose'],
  ['N', 'next'],
  ['W', 'where'],
  ['L', 'line'],
  ['M', 'mine'],
  ['Y', 'why'],
  ['H', 'hintKey'],
  ['⌫', 'back'],
  ['Esc', 'escape'],
  ['+ − 0', 'zoom'],
  ['?', 'keys'],
] as const;
