// Passkeys (WebAuthn level 3): the server speaks JSON with base64url, the browser bytes. The browsers' own conversions
// (`parseCreationOptionsFromJSON`, `toJSON`) are younger than the browsers we support, so they are written here.

/** What the server sends and takes: the JSON forms of WebAuthn level 3 §5.1.9. */
export type CreationOptionsJson = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptionsJson = PublicKeyCredentialRequestOptionsJSON;
export interface CredentialJson {
  id: string;
  rawId: string;
  type: string;
  authenticatorAttachment?: string;
  response: Record<string, unknown>;
  clientExtensionResults: AuthenticationExtensionsClientOutputs;
}

/** The person closed the browser's dialog, let it time out, or the device has nothing that fits. */
export class PasskeyDismissed extends Error {}
/** This device already holds a passkey of the account. */
export class PasskeyKnown extends Error {}

export const passkeysSupported = (): boolean => typeof window.PublicKeyCredential === 'function';

export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));
}

export function toBase64url(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

const descriptors = (list: PublicKeyCredentialDescriptorJSON[] | undefined) =>
  list?.map(({ id, type, transports }) => ({
    id: fromBase64url(id),
    type: type as PublicKeyCredentialType,
    transports: transports as AuthenticatorTransport[] | undefined,
  }));

/** Asks the device for a new passkey. Throws `PasskeyDismissed`, `PasskeyKnown`. */
export async function createPasskey(options: CreationOptionsJson): Promise<CredentialJson> {
  const { extensions: _extensions, ...rest } = options;
  const publicKey = {
    ...rest,
    challenge: fromBase64url(options.challenge),
    user: { ...options.user, id: fromBase64url(options.user.id) },
    excludeCredentials: descriptors(options.excludeCredentials),
  } as PublicKeyCredentialCreationOptions;
  const credential = await asked(() => navigator.credentials.create({ publicKey }));
  const response = credential.response as AuthenticatorAttestationResponse;
  return inJson(credential, {
    clientDataJSON: toBase64url(response.clientDataJSON),
    attestationObject: toBase64url(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

/** Asks the device to prove a passkey. Throws `PasskeyDismissed`. */
export async function provePasskey(options: RequestOptionsJson): Promise<CredentialJson> {
  const { extensions: _extensions, ...rest } = options;
  const publicKey = {
    ...rest,
    challenge: fromBase64url(options.challenge),
    allowCredentials: descriptors(options.allowCredentials),
  } as PublicKeyCredentialRequestOptions;
  const credential = await asked(() => navigator.credentials.get({ publicKey }));
  const response = credential.response as AuthenticatorAssertionResponse;
  return inJson(credential, {
    clientDataJSON: toBase64url(response.clientDataJSON),
    authenticatorData: toBase64url(response.authenticatorData),
    signature: toBase64url(response.signature),
    userHandle: response.userHandle ? toBase64url(response.userHandle) : null,
  });
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask();
    if (credential) return credential as PublicKeyCredential;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'InvalidStateError') throw new PasskeyKnown();
    // The standard answers the same for "no", "too late" and "nothing fits", so that pages cannot probe.
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw error;
  }
  throw new PasskeyDismissed();
}

function inJson(credential: PublicKeyCredential, response: Record<string, unknown>): CredentialJson {
  return {
    id: credential.id,
    rawId: toBase64url(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    response,
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}
