/**
 * Whether media really leaves the phone (CLIENT-54): after a telephone call, another lens or another headset the tracks
 * look alive while the encoder sends nothing.
 */
import type { LocalTrack } from 'livekit-client';

/** Milliseconds in which bytes must grow. Silence is no excuse: Opus sends a frame at least every 400 ms. */
export const FLOW_MS = 3000;

export type Kind = 'audio' | 'video';
/** Bytes sent so far; null where nothing is due or the browser does not say. */
export type Sent = Record<Kind, number | null>;

/** Frames that the encoder has been given so far; null where the browser does not say. */
export async function framesTaken(video: LocalTrack): Promise<number | null> {
  const stats = await video.sender?.getStats().catch(() => null);
  for (const report of stats?.values() ?? []) if (report.type === 'media-source') return report.frames ?? null;
  return null;
}

/** Bytes of a track that is due: open, heard by the system, not muted, and asked for by somebody (dynacast stops the rest). */
export async function bytesSent(track: LocalTrack | null): Promise<number | null> {
  const source = track?.mediaStreamTrack;
  // A still takes the track off the wire for a moment.
  if (!track?.sender?.track || !source || track.isMuted || source.muted || source.readyState !== 'live') return null;
  const { encodings } = track.sender.getParameters?.() ?? {};
  if (encodings?.length && encodings.every(({ active }) => active === false)) return null;
  const stats = await track.sender.getStats().catch(() => null);
  let sum: number | null = null;
  for (const report of stats?.values() ?? [])
    if (report.type === 'outbound-rtp') sum = (sum ?? 0) + (report.bytesSent ?? 0);
  return sum;
}

/** What was due before and after, and did not grow. */
export const stalled = (before: Sent, after: Sent): Kind[] =>
  (['audio', 'video'] as const).filter((kind) => {
    const from = before[kind];
    const to = after[kind];
    return from !== null && to !== null && to <= from;
  });

export interface FlowHost {
  read: () => Promise<Sent>;
  /** Sends this kind anew on the same connection. */
  republish: (kind: Kind) => Promise<void>;
  /** Another connection. */
  rejoin: () => void;
  /** Even that did not help: the next rung of the ladder. */
  giveUp: () => void;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Proves after each recovery that media flows, and mends what does not, each time with more. */
export class Flow {
  private round = 0;
  private rejoined = false;

  constructor(private readonly host: FlowHost) {}

  async prove(): Promise<void> {
    const mine = ++this.round;
    let still = await this.standing(mine);
    if (still?.length) {
      for (const kind of still) await this.host.republish(kind);
      still = await this.standing(mine);
    }
    if (!still) return;
    const again = this.rejoined;
    this.rejoined = still.length > 0 && !again;
    if (!still.length) return;
    if (again) this.host.giveUp();
    else this.host.rejoin();
  }

  /** After a connection that was made because nothing flowed: it must prove itself. */
  connected(): void {
    if (this.rejoined) void this.prove();
  }

  stop(): void {
    this.round++;
  }

  /** The kinds that stand still; null when something newer is being proved. */
  private async standing(mine: number): Promise<Kind[] | null> {
    const before = await this.host.read();
    await pause(FLOW_MS);
    const after = await this.host.read();
    return mine === this.round ? stalled(before, after) : null;
  }
}
