import type { Diagnosis, Reading } from '../path/diagnosis';
import { type ConnectionReport, PathReporter, statsOf } from '../path/report';
import { isLive } from './participants';
import { pathState } from './path-state';
import type { TrackPort } from './ports';
import type { CallSession } from './session';
import { type Clock, type Readable, Store, systemClock } from './store';

/** The connection of our side: how its media come, what fails, and telling it to the server (CALL-61). */
export class OwnPath {
  private readonly store = new Store<Diagnosis | null>(null);
  private reporter: PathReporter | null = null;

  constructor(
    private readonly session: CallSession,
    private readonly clock: Clock = systemClock,
  ) {}

  get diagnosis(): Readable<Diagnosis | null> {
    return this.store;
  }

  /** Reads and tells until `stop`. `tell` answers whether the server has it. */
  start(tell: (report: ConnectionReport) => Promise<boolean>): void {
    this.stop();
    const show = (diagnosis: Diagnosis) => this.store.set(diagnosis);
    this.reporter = new PathReporter({ read: () => this.read(), show, tell }, this.clock);
    this.reporter.start();
  }

  stop(): void {
    this.reporter?.stop();
    this.reporter = null;
  }

  /** What comes from the client says more than what we send: it is what the call is about. */
  private async read(): Promise<Reading> {
    const { me, client } = this.session.people.get();
    const seen = document.visibilityState === 'visible';
    // In a hidden tab the library stops receiving pictures by itself; voice goes on.
    const theirs = isLive(client?.microphone)
      ? client?.microphone
      : seen && isLive(client?.camera)
        ? client?.camera
        : null;
    const mine = isLive(me?.microphone) ? me?.microphone : null;
    const ended = (track: TrackPort | null | undefined) => track?.mediaStreamTrack?.readyState === 'ended';
    const received = theirs?.track?.receiver;
    return {
      at: this.clock.now(),
      server: navigator.onLine && this.session.reached,
      ice: pathState(this.session.room),
      stats: await statsOf(received ?? mine?.track?.sender),
      due: Boolean(received ?? mine),
      direction: received ? 'received' : 'sent',
      cameraLost: ended(me?.camera?.track),
      microphoneLost: ended(me?.microphone?.track),
    };
  }
}
