/** The phone's side of the connection check (CALL-61): what is read, who is told, and what the person sees. */
import { type Diagnosis, type Failure, type Reading, troubleOf } from '../../src/rtc/path/diagnosis';
import { PathReporter } from '../../src/rtc/path/report';
import * as api from '../api';
import type { MediaRoom } from './media-room';
import type { View } from './view';

/** None of the ways to the media server lets anything through; the server itself answers. */
const NO_WAY: Diagnosis = { way: null, failed: ['udp', 'tcp', 'relay'], rttMs: null, kbps: null, lossPercent: null };

export class Connection {
  private last: Diagnosis | null = null;
  private readonly reporter: PathReporter;

  constructor(
    private readonly key: { hash: string; clientKey: string },
    private readonly room: Pick<MediaRoom, 'path' | 'send'>,
    private readonly view: () => View,
    private readonly set: (change: Partial<View>) => void,
  ) {
    const { hash, clientKey } = this.key;
    this.reporter = new PathReporter({
      read: () => this.read(),
      show: (diagnosis) => this.show(diagnosis),
      tell: (report) => api.tellConnection(hash, clientKey, report),
    });
  }

  start(): () => void {
    this.reporter.start();
    return () => this.reporter.stop();
  }

  /** The server answers and no connection comes about. */
  nothingPasses(): void {
    this.reporter.note(NO_WAY);
  }

  /** For somebody who has just joined. */
  repeat(): void {
    if (this.last) this.room.send({ t: 'path', way: this.last.way, failed: this.last.failed });
  }

  private show(diagnosis: Diagnosis): void {
    this.last = diagnosis;
    this.repeat();
    const failing = troubleOf(diagnosis);
    if (failing !== this.view().failing) this.set({ failing });
  }

  private async read(): Promise<Reading> {
    const { link, interrupted } = this.view();
    return {
      ...(await this.room.path()),
      at: performance.now(),
      server: link !== 'offline',
      direction: 'sent',
      cameraLost: interrupted === 'CAMERA_LOST',
      microphoneLost: interrupted === 'MICROPHONE_LOST' || interrupted === 'PHONE_CALL',
    };
  }
}

/** The one line that says what fails and what to do; what other parts of the screen say already has none. */
export const failureKey = (failing: Failure | null) => {
  if (failing === 'media') return 'call_no_media' as const;
  if (failing === 'bandwidth') return 'call_weak' as const;
  return failing === 'udp' || failing === 'tcp' || failing === 'relay' ? ('call_no_path' as const) : null;
};
