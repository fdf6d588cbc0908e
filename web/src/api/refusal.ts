// What the server refuses to do, and ids for what it is asked.

/** An error of the server, with its code, and an explanation for a refused move. */
export class Refusal extends Error {
  readonly code: string;
  readonly hint: string;
  readonly explanation: Record<string, unknown> | null;
  /** Values for the text: where a record can't be read. */
  readonly facts: Record<string, number>;

  constructor(error: {
    code: string;
    message: string;
    hint: string;
    explanation?: unknown;
    facts?: Record<string, number>;
  }) {
    super(error.message);
    this.name = 'Refusal';
    this.code = error.code;
    this.hint = error.hint;
    this.facts = error.facts ?? {};
    this.explanation = (error.explanation as Record<string, unknown> | null | undefined) ?? null;
  }
}

/** A random id of 96 bits. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
