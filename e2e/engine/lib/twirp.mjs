/** LiveKit's room service over Twirp with JSON bodies: the calls that both engines answer (ENGINE-23). */
import { mint } from './token.mjs';

export class RoomService {
  /**
   * @param {string} http base address, `http://host:port`
   * @param {import('./token.mjs').KeyPair} pair
   */
  constructor(http, pair) {
    this.http = http.replace(/\/$/, '');
    this.pair = pair;
  }

  /**
   * Calls and returns status and body as they are (the tests of refusal need both).
   * @param {string} method for instance `ListRooms`
   * @param {object} body
   * @param {{token?: string | null}} [options] another bearer, or null for none
   * @returns {Promise<{status: number, body: any, type: string}>}
   */
  async raw(method, body, { token } = {}) {
    const bearer = token === undefined ? this.adminToken(body.room) : token;
    const answer = await fetch(`${this.http}/twirp/livekit.RoomService/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(8000),
    });
    const text = await answer.text();
    let parsed = text;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Twirp errors are JSON; a plain text stays visible in the failure message.
    }
    return { status: answer.status, body: parsed, type: answer.headers.get('content-type') ?? '' };
  }

  /** As `raw`, but anything but 200 is an error. */
  async call(method, body = {}) {
    const { status, body: answer } = await this.raw(method, body);
    if (status !== 200) throw new Error(`${method} answered ${status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  adminToken(room) {
    return mint(this.pair, { identity: 'admin', video: { roomAdmin: true, roomCreate: true, roomList: true, ...(room ? { room } : {}) } });
  }
}
