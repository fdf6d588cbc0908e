// Lints the client: the recommended rules of ESLint, typescript-eslint and eslint-plugin-svelte.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  {
    ignores: [
      '**/node_modules/',
      'src/watermeet/server/static/',
      '.venv/',
      'web/src/api/wire.ts',
      'web/src/api/endpoints/',
      '**/web/viewTypes.ts',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { varsIgnorePattern: '^_', argsIgnorePattern: '^_' },
      ],
      'no-undef': 'off', // TypeScript checks it.
      'svelte/prefer-svelte-reactivity': 'off', // Our maps are derived anew or not reactive.
    },
  },
);
