// Records in links: compressed, in the part of an address that browsers don't send to a server. So a
// link needs nothing stored, and whoever opens it needs no account.

/** Longer links are cut by messengers; then the record is shared as a file. */
export const MAX_LINK = 6000;
/** What a link may unfold to, in bytes: as much as a record that is imported. */
const MAX_TEXT = 65_536;

async function through(bytes: Uint8Array, by: GenericTransformStream): Promise<Uint8Array | null> {
  const reader = (new Blob([bytes as BlobPart]).stream() as ReadableStream)
    .pipeThrough(by)
    .getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = (await reader.read()) as ReadableStreamReadResult<Uint8Array>;
    if (done) break;
    size += value.length;
    if (size > MAX_TEXT) {
      void reader.cancel();
      return null;
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

/** A text as letters that can stand in an address; null if it is too long. */
export async function pack(text: string): Promise<string | null> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  if (!bytes || bytes.length > MAX_LINK) return null;
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** The text of such letters; null if they are none. */
export async function unpack(letters: string): Promise<string | null> {
  try {
    const bytes = Uint8Array.from(
      atob(letters.replaceAll('-', '+').replaceAll('_', '/')),
      (letter) => letter.charCodeAt(0),
    );
    const found = await through(bytes, new DecompressionStream('deflate-raw'));
    return found && new TextDecoder('utf-8', { fatal: true }).decode(found);
  } catch {
    return null;
  }
}

/** The segments of an address's path: `/match/abc` has `match` and `abc`; a stray % stands for itself. */
export function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter(Boolean)
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });
}

/** Places among siblings as `3-1-2`: three on the main line, the second child, two on from there. */
export function formatPlaces(places: readonly number[]): string {
  const found: number[] = [0];
  for (const place of places) {
    if (place === 0) found[found.length - 1]!++;
    else found.push(place, 0);
  }
  return found.join('-');
}

export function parsePlaces(text: string): number[] {
  if (!/^\d{1,4}(-\d{1,3}-\d{1,4})*$/.test(text)) return [];
  return text
    .split('-')
    .map(Number)
    .flatMap((number, index) =>
      index % 2 ? [number] : Array.from({ length: Math.min(number, 5000) }, () => 0),
    );
}
