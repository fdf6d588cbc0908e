import { expect, test } from 'vitest';
import { settings } from '../app/settings.svelte';
import { mustPreview, mustWait, noteInput } from './confirmation';

test.each([
  ['never', 'mouse', false, false],
  ['never', 'touch', false, true],
  ['touch', 'mouse', false, true],
  ['touch', 'keyboard', false, true],
  ['touch', 'touch', true, true],
  ['touch', 'pen', true, true],
  ['always', 'mouse', true, true],
] as const)('asking %s, played by %s', (confirm, kind, waits, isPreviewed) => {
  settings.confirm = confirm;
  noteInput(kind);
  expect([mustWait(), mustPreview()]).toEqual([waits, isPreviewed]);
});
