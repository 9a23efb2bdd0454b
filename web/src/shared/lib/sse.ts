export interface ServerSentEvent {
  event: string;
  data: string;
  id: string | null;
}

/**
 * Cuts a text stream into server-sent events (WHATWG HTML §9.2.6). Feed it pieces as they come; it keeps the rest.
 * `EventSource` cannot send a bearer header, so the stream is read with `fetch`.
 */
export class SseParser {
  private rest = '';

  feed(piece: string): ServerSentEvent[] {
    this.rest += piece;
    const events: ServerSentEvent[] = [];
    for (;;) {
      const end = /\r\n\r\n|\n\n|\r\r/.exec(this.rest);
      if (!end) return events;
      const event = parseBlock(this.rest.slice(0, end.index));
      this.rest = this.rest.slice(end.index + end[0].length);
      if (event) events.push(event);
    }
  }
}

function parseBlock(block: string): ServerSentEvent | null {
  const data: string[] = [];
  let event = 'message';
  let id: string | null = null;
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    // A line that starts with a colon is a comment: keep-alive.
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id') id = value;
  }
  return data.length > 0 ? { event, data: data.join('\n'), id } : null;
}
