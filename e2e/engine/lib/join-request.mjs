/** `join_request` query values as the client makes them, and the pieces to make broken ones. */
import * as P from '@livekit/protocol';

export const { GZIP, NONE } = P.WrappedJoinRequest_Compression;

/** base64url with padding, as the client sends it. */
export const base64 = (bytes) => Buffer.from(bytes).toString('base64').replace(/\+/g, '-').replace(/\//g, '_');

/** @param {Uint8Array} joinRequest the inner message, compressed or not @param {number} compression */
export const wrapped = (joinRequest, compression) => base64(new P.WrappedJoinRequest({ compression, joinRequest }).toBinary());

/** A plain inner `JoinRequest` without an offer, as Firefox sends it. */
export function plainJoin(more = {}) {
  const clientInfo = new P.ClientInfo({ sdk: P.ClientInfo_SDK.JS, version: '2.23.0', protocol: 17 });
  return new P.JoinRequest({ clientInfo, connectionSettings: new P.ConnectionSettings({ autoSubscribe: true }), ...more }).toBinary();
}

/** A good, uncompressed `join_request` value. */
export const joinRequest = () => wrapped(plainJoin(), NONE);
