import { decode, encode, type Facing, type RoomMessage, type Sender, senderOf, TOPIC } from './messages';
import type { ParticipantPort, RoomPort } from './ports';

export interface Received {
  message: RoomMessage;
  sender: Sender;
  /** Identity of who sent it; empty for the server. */
  identity: string;
}

/** Sends the adjuster's commands to the client's device and hands over what arrives, checked and attributed. */
export class Commands {
  private readonly listeners = new Set<(received: Received) => void>();
  private readonly onData: (
    payload: Uint8Array,
    participant?: ParticipantPort,
    kind?: unknown,
    topic?: string,
    encryption?: unknown,
    identity?: string,
  ) => void;

  constructor(private readonly room: RoomPort) {
    this.onData = (payload, participant, _kind, topic, _encryption, identity) => {
      if (topic !== TOPIC) return;
      // The library leaves `participant` out when the sender is not in its list yet, but still says who it was.
      const from = participant?.identity ?? identity ?? '';
      const sender = senderOf(from);
      const message = decode(payload, sender);
      if (message === null || sender === null) return;
      for (const listener of [...this.listeners]) listener({ message, sender, identity: from });
    };
    room.on('dataReceived', this.onData);
  }

  onMessage(listener: (received: Received) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  // Each command goes to one device of the client, by its identity: a second one must not fire along.
  still = (to: string | null, id: string, by: string): Promise<void> => this.send(to, { t: 'still', id, by });
  camera = (to: string | null, facing: Facing | 'next'): Promise<void> => this.send(to, { t: 'camera', facing });
  torch = (to: string | null, on: boolean): Promise<void> => this.send(to, { t: 'torch', on });
  zoom = (to: string | null, value: number): Promise<void> => this.send(to, { t: 'zoom', value });
  askCaps = (to: string | null): Promise<void> => this.send(to, { t: 'caps?' });

  dispose(): void {
    this.room.off('dataReceived', this.onData);
    this.listeners.clear();
  }

  /** Rejects with NO_CLIENT when that device is not in the room: nobody would carry the command out. */
  private async send(to: string | null, message: Parameters<typeof encode>[0]): Promise<void> {
    if (to === null || senderOf(to) !== 'client' || !this.room.remoteParticipants.has(to)) throw new Error('NO_CLIENT');
    await this.room.localParticipant.publishData(encode(message), {
      reliable: true,
      topic: TOPIC,
      destinationIdentities: [to],
    });
  }
}
