import { setNonce } from 'get-nonce';

/** What stands there when a page is not served by our server, as in development, where there is no policy either. */
const PLACEHOLDER = '__STYLE_NONCE__';

/**
 * What `<style>` elements must carry under this page's policy (EDGE-15): another one in each answer of the server, which writes it
 * into `index.html`. Read as a property, because browsers hide the attribute.
 */
export function styleNonce(): string | undefined {
  const { nonce } = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]') ?? {};
  return nonce && nonce !== PLACEHOLDER ? nonce : undefined;
}

/** For the library that holds the page still below dialogs: it writes a style sheet and asks nobody of ours. */
export function giveStyleNonce(): void {
  const nonce = styleNonce();
  if (nonce) setNonce(nonce);
}
