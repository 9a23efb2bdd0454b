/** LiveKit access tokens (JWT, HS256), minted with node:crypto only, so that the suite does not share code with any engine. */
import { createHmac } from 'node:crypto';

const b64 = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/**
 * @typedef {{key: string, secret: string}} KeyPair
 * @typedef {object} TokenOptions
 * @property {string} [identity] `sub`
 * @property {string} [name]
 * @property {string} [metadata]
 * @property {Record<string, unknown>} [video] grants; `roomJoin` is on unless given
 * @property {number} [ttl] seconds from now until `exp`; negative = already expired
 * @property {string} [alg] header only: anything but HS256 is for the tests of refusal
 */

/**
 * @param {KeyPair} pair
 * @param {TokenOptions} options
 * @returns {string} the signed token
 */
export function mint(pair, { identity, name, metadata, video = {}, ttl = 600, alg = 'HS256' }) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: pair.key, nbf: now - 3600, iat: now - 3600, exp: now + ttl, jti: identity, sub: identity, name, metadata, video };
  const head = `${b64({ alg, typ: 'JWT' })}.${b64(claims)}`;
  if (alg === 'none') return `${head}.`;
  return `${head}.${createHmac('sha256', pair.secret).update(head).digest('base64url')}`;
}

/**
 * A participant's token: may join one room, publish, subscribe and send data unless the grants say otherwise.
 * @param {KeyPair} pair
 * @param {string} room
 * @param {string} identity
 * @param {Record<string, unknown>} [grants] overrides of the video grants
 * @param {Partial<TokenOptions>} [more]
 */
export function joinToken(pair, room, identity, grants = {}, more = {}) {
  const video = { roomJoin: true, room, canPublish: true, canSubscribe: true, canPublishData: true, canUpdateOwnMetadata: true, ...grants };
  return mint(pair, { identity, name: `Name of ${identity}`, metadata: JSON.stringify({ kind: 'staff', name: identity }), video, ...more });
}

/** The same token with its payload changed after signing: the signature no longer fits. */
export function tampered(token) {
  const [head, body, signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  claims.sub = `${claims.sub}-other`;
  return `${head}.${b64(claims)}.${signature}`;
}
