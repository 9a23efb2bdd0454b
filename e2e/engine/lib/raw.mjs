/** Hand-made network traffic: a websocket that may break every rule, TCP bytes, datagrams. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';

/**
 * Opens a websocket by hand.
 * @param {string} http base address
 * @param {string} path with its query
 * @param {number} [ms] patience for the answer to the upgrade
 * @returns {Promise<RawSocket>}
 */
export function rawWebSocket(http, path, ms = 6000) {
  const { hostname, port } = new URL(http);
  const socket = connect({ host: hostname.replace(/[[\]]/g, ''), port: Number(port || 80) });
  const raw = new RawSocket(socket);
  socket.write([`GET ${path} HTTP/1.1`, `Host: ${hostname}:${port}`, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`, '', ''].join('\r\n'));
  return raw.opened(ms);
}

export class RawSocket {
  constructor(socket) {
    this.socket = socket;
    this.received = Buffer.alloc(0);
    this.closed = false;
    this.status = 0;
    socket.on('data', (data) => {
      this.received = Buffer.concat([this.received, data]);
    });
    socket.on('error', () => {
      this.closed = true;
    });
    socket.on('close', () => {
      this.closed = true;
    });
  }

  /** Waits for the answer to the upgrade: an HTTP status, or 0 when the connection was closed without one. */
  async opened(ms) {
    const end = Date.now() + ms;
    while (!this.closed && this.received.indexOf('\r\n\r\n') < 0 && Date.now() < end) await new Promise((r) => setTimeout(r, 10));
    const cutAt = this.received.indexOf('\r\n\r\n');
    this.status = cutAt < 0 ? 0 : Number(/^HTTP\/1\.1 (\d+)/.exec(this.received.toString('latin1', 0, cutAt))?.[1] ?? 0);
    this.timedOut = cutAt < 0 && !this.closed;
    this.received = cutAt < 0 ? Buffer.alloc(0) : this.received.subarray(cutAt + 4);
    return this;
  }

  /** Sends one frame. `masked: false` and a reserved opcode break the protocol on purpose. */
  frame(payload, { opcode = 2, masked = true, claim = payload.length } = {}) {
    const head = [0x80 | opcode];
    const bit = masked ? 0x80 : 0;
    if (claim < 126) head.push(bit | claim);
    else if (claim < 65536) head.push(bit | 126, claim >> 8, claim & 255);
    else head.push(bit | 127, 0, 0, (claim / 2 ** 40) & 255, (claim / 2 ** 32) & 255, (claim >>> 24) & 255, (claim >>> 16) & 255, (claim >>> 8) & 255, claim & 255);
    const mask = randomBytes(4);
    const body = masked ? Buffer.from(payload.map((byte, i) => byte ^ mask[i & 3])) : payload;
    if (!this.closed) this.socket.write(Buffer.concat([Buffer.from(head), masked ? mask : Buffer.alloc(0), body]));
  }

  /** Payloads of the complete binary frames received so far (servers do not mask). */
  messages() {
    const list = [];
    let at = 0;
    while (at + 2 <= this.received.length) {
      let length = this.received[at + 1] & 127;
      let head = 2;
      if (length === 126) [length, head] = [this.received.readUInt16BE(at + 2), 4];
      else if (length === 127) [length, head] = [Number(this.received.readBigUInt64BE(at + 2)), 10];
      if (at + head + length > this.received.length) break;
      if ((this.received[at] & 15) === 2) list.push(this.received.subarray(at + head, at + head + length));
      at += head + length;
    }
    return list;
  }

  end() {
    this.socket.destroy();
  }
}

/** Datagrams to one port, all of them before it resolves. */
export async function datagrams(host, port, payloads) {
  const socket = createSocket('udp4');
  for (const payload of payloads) {
    await new Promise((resolve) => socket.send(payload, port, host, resolve));
  }
  await new Promise((resolve) => socket.close(resolve));
}

/** One TCP connection that sends `bytes`; it is returned open, the caller destroys it. */
export function tcpBytes(host, port, bytes) {
  const socket = connect({ host, port });
  socket.on('error', () => {});
  socket.write(bytes);
  return socket;
}
