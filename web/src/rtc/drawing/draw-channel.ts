import type { PointRoom } from '../pointing/channel';
import { DRAW_TOPIC, type DrawMessage, DrawReader, encodeDraw } from './channel';

/** Sends what a hand draws to a room, and hands over what others' hands draw. */
export class DrawChannel {
  private readonly reader: DrawReader;
  private readonly listeners = new Set<(message: DrawMessage) => void>();

  constructor(
    private readonly room: PointRoom,
    now?: () => number,
  ) {
    this.reader = new DrawReader(now);
    room.on('dataReceived', this.arrived);
  }

  /** What cannot be sent now is read from the server later. */
  send(message: DrawMessage): void {
    if (this.room.state !== 'connected') return;
    const options = { reliable: true, topic: DRAW_TOPIC };
    this.room.localParticipant.publishData(encodeDraw(message), options).catch(() => undefined);
  }

  onDraw(listener: (message: DrawMessage) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  dispose(): void {
    this.room.off('dataReceived', this.arrived);
    this.listeners.clear();
  }

  private arrived = (payload: Uint8Array, sender?: { identity: string }, _kind?: unknown, topic?: string): void => {
    if (topic !== DRAW_TOPIC || !sender || !this.room.remoteParticipants.has(sender.identity)) return;
    const message = this.reader.read(payload, sender.identity);
    if (message) for (const listener of [...this.listeners]) listener(message);
  };
}
