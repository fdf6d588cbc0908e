// One request to the REST API; errors are thrown as Refusal. The functions in endpoints/ call this.
import { Refusal } from './refusal';

/** As long as the longest request may take, which is a hint when many others want one. */
const TIMEOUT_MS = 20_000;

/** A path with its values encoded: path`/users/${name}`. */
export const path = (parts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: parts }, ...values.map(encodeURIComponent));

/** Sends a request; null and undefined in `query` are left out. */
export async function request(
  method: string,
  path: string,
  token = '',
  body?: unknown,
  query: object = {},
): Promise<Response> {
  const headers = new Headers();
  if (token) headers.set('Authorization', `Bearer ${token}`);
  const init: RequestInit = { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (body !== undefined) {
    headers.set('Content-Type', 'application/json');
    init.body = JSON.stringify(body);
  }
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const words = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  let response: Response;
  try {
    response = await fetch(`/api${path}${words.size ? `?${words}` : ''}`, init);
  } catch {
    throw new Refusal({ code: 'unreachable', message: 'the server is unreachable', hint: '' });
  }
  if (response.ok) return response;
  let problem: { code: string; message: string; hint: string };
  try {
    problem = (await response.json()) as typeof problem;
  } catch {
    problem = { code: 'unreachable', message: `${response.status}`, hint: '' };
  }
  throw new Refusal(problem);
}

/** The same, for a document. */
export const json = async <T>(...asked: Parameters<typeof request>): Promise<T> =>
  (await (await request(...asked)).json()) as T;
