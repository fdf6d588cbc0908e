// Passkeys: what the server asks of the browser, and what the browser answers.
import {
  addPasskey as sendPasskey,
  beginPasskey,
  beginPasskeySignIn,
  signInByPasskey as sendSignIn,
} from '../api/endpoints/sign_in';
import { identity } from './identity.svelte';
import { Refusal } from '../api/refusal';

/** Whether this browser has passkeys; they need HTTPS, or localhost. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && isSecureContext;

type Bytes = Uint8Array<ArrayBuffer>;

function toBytes(text: string): Bytes {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function toText(bytes: ArrayBuffer | null): string {
  const letters = [...new Uint8Array(bytes ?? new ArrayBuffer(0))].map((byte) =>
    String.fromCharCode(byte),
  );
  return btoa(letters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

interface Described {
  id: string;
  type: 'public-key';
}
interface CreationOptions extends Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: Described[];
}

/** What somebody does who closes the browser's dialog. */
async function asked(ask: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const found = await ask;
    if (found instanceof PublicKeyCredential) return found;
  } catch {
    // The same as none.
  }
  throw new Refusal({ code: 'bad_passkey', message: 'no passkey', hint: '' });
}

/** Signs up by a new passkey, or adds one. */
export async function addPasskey(
  body: { name?: string; invitation?: string; password?: string } = {},
): Promise<void> {
  const token = await identity.ensureToken();
  const begun = await beginPasskey(token, body);
  const options = begun.options as unknown as CreationOptions;
  const made = await asked(
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        user: { ...options.user, id: toBytes(options.user.id) },
        excludeCredentials: (options.excludeCredentials ?? []).map(({ id, type }) => ({
          id: toBytes(id),
          type,
        })),
      },
    }),
  );
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  const credential = {
    id: made.id,
    rawId: toText(made.rawId),
    type: made.type,
    response: {
      clientDataJSON: toText(clientDataJSON),
      attestationObject: toText(attestationObject),
    },
  };
  const sent = { credential, invitation: body.invitation ?? '' };
  await sendPasskey(token, sent);
}

/** Signs in by one of the passkeys that this browser knows; returns the new token. */
export async function signInByPasskey(): Promise<string> {
  const begun = await beginPasskeySignIn();
  const options = begun.options as unknown as { challenge: string; rpId: string };
  const found = await asked(
    navigator.credentials.get({
      publicKey: {
        challenge: toBytes(options.challenge),
        rpId: options.rpId,
        userVerification: 'required',
      },
    }),
  );
  const response = found.response as AuthenticatorAssertionResponse;
  const credential = {
    id: found.id,
    rawId: toText(found.rawId),
    type: found.type,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      userHandle: toText(response.userHandle),
    },
  };
  return (await sendSignIn({ credential })).token;
}
