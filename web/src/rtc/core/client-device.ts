import type { Diagnosis } from '../path/diagnosis';
import type { Commands, Received } from './commands';
import type { Caps, Facing, Position } from './messages';
import type { CallSession } from './session';
import { ask, expire, fail, progress, type Still } from './stills';
import { type Clock, type Readable, Store, systemClock } from './store';

export interface ClientDeviceState {
  /** Null until the client's page has sent them. */
  caps: Caps | null;
  stills: readonly Still[];
  /** Newest last, at most 50. */
  positions: readonly Position[];
  /** Reason code (PHONE_CALL, CAMERA_LOST, PAGE_HIDDEN …) while the trouble lasts. */
  problem: string | null;
  /** The client stopped their picture on purpose. */
  videoPaused: boolean;
  /** How the client's media leave, and what fails there; null until its page has said so. */
  path: Pick<Diagnosis, 'way' | 'failed'> | null;
  /** A command the phone could not carry out; `n` grows, so that the same failure is shown again when it repeats. */
  notice: { reason: string; n: number } | null;
}

/** Reasons that report one failed command, not a lasting trouble. */
const NOTICES: readonly string[] = ['TORCH_REFUSED', 'CAMERA_SWITCH_FAILED', 'WAKE_LOCK'];

const EMPTY: ClientDeviceState = {
  caps: null,
  stills: [],
  positions: [],
  problem: null,
  videoPaused: false,
  path: null,
  notice: null,
};
const MAX_POSITIONS = 50;
/** Stills under way at once; a device takes them one after another. */
export const MAX_STILLS = 3;
const SWEEP_MS = 5_000;

export type CommandError = 'NO_CLIENT' | 'SEND_FAILED' | 'STILLS_BUSY';

/** What we know of the client's phone, and the commands it carries out. Asks for capabilities at each arrival (CALL-20). */
export class ClientDevice {
  private readonly store = new Store<ClientDeviceState>(EMPTY);
  private readonly stop: Array<() => void> = [];
  private clientIdentity: string | null = null;
  private cancelSweep: (() => void) | null = null;

  constructor(
    session: CallSession,
    private readonly commands: Commands,
    private readonly newId: () => string,
    private readonly clock: Clock = systemClock,
  ) {
    this.stop.push(commands.onMessage((received) => this.take(received)));
    const follow = () => {
      const people = session.people.get();
      this.cut(new Set(people.others.map((one) => one.identity)));
      this.follow(people.client?.identity ?? null);
    };
    this.stop.push(session.people.subscribe(follow));
    follow();
    this.sweep();
  }

  get state(): Readable<ClientDeviceState> {
    return this.store;
  }

  /** Asks for a full-resolution picture. `by` is the adjuster's name, shown on the client's phone. */
  async takeStill(by: string): Promise<CommandError | null> {
    const running = this.store.get().stills.filter((one) => one.state !== 'done' && one.state !== 'failed');
    if (running.length >= MAX_STILLS) return 'STILLS_BUSY';
    const id = this.newId();
    this.change((state) => ({ ...state, stills: ask(state.stills, id, this.clientIdentity, this.clock.now()) }));
    const error = await this.send(this.commands.still(this.clientIdentity, id, by));
    if (error) this.change((state) => ({ ...state, stills: fail(state.stills, id, error) }));
    return error;
  }

  camera = (facing: Facing | 'next'): Promise<CommandError | null> =>
    this.send(this.commands.camera(this.clientIdentity, facing));
  torch = (on: boolean): Promise<CommandError | null> => this.send(this.commands.torch(this.clientIdentity, on));
  zoom = (value: number): Promise<CommandError | null> => this.send(this.commands.zoom(this.clientIdentity, value));

  dismissStill(id: string): void {
    this.change((state) => ({ ...state, stills: state.stills.filter((one) => one.id !== id) }));
  }

  dispose(): void {
    for (const off of this.stop) off();
    this.cancelSweep?.();
  }

  private change(how: (state: ClientDeviceState) => ClientDeviceState): void {
    this.store.update(how);
  }

  private async send(sending: Promise<void>): Promise<CommandError | null> {
    try {
      await sending;
      return null;
    } catch (error) {
      return error instanceof Error && error.message === 'NO_CLIENT' ? 'NO_CLIENT' : 'SEND_FAILED';
    }
  }

  private follow(identity: string | null): void {
    if (identity === this.clientIdentity) return;
    this.clientIdentity = identity;
    // What was known is about the device before.
    this.change((state) => ({
      ...state,
      caps: null,
      path: null,
      videoPaused: false,
      problem: identity ? null : state.problem,
    }));
    if (identity) void this.send(this.commands.askCaps(identity));
  }

  /** Fails the stills of devices that are gone. */
  private cut(here: ReadonlySet<string>): void {
    const lost = ({ state, from }: Still) => state !== 'done' && state !== 'failed' && from !== null && !here.has(from);
    if (!this.store.get().stills.some(lost)) return;
    this.change((state) => ({
      ...state,
      stills: state.stills.map((still) => (lost(still) ? { ...still, state: 'failed', reason: 'CLIENT_LEFT' } : still)),
    }));
  }

  private take({ message, sender, identity }: Received): void {
    if (sender !== 'client') return;
    if (message.t === 'still-progress') {
      this.change((state) => ({ ...state, stills: progress(state.stills, message, identity, this.clock.now()) }));
      return;
    }
    // What another device of the client reports is not about the picture on the stage.
    if (identity !== this.clientIdentity) return;
    switch (message.t) {
      case 'caps': {
        const { t: _t, ...caps } = message;
        this.change((state) => ({ ...state, caps }));
        return;
      }
      case 'position': {
        const { t: _t, ...position } = message;
        this.change((state) => ({ ...state, positions: [...state.positions, position].slice(-MAX_POSITIONS) }));
        return;
      }
      case 'problem':
        this.change((state) =>
          NOTICES.includes(message.reason)
            ? { ...state, notice: { reason: message.reason, n: (state.notice?.n ?? 0) + 1 } }
            : { ...state, problem: message.reason },
        );
        return;
      case 'back':
        this.change((state) => ({ ...state, problem: null }));
        return;
      case 'pause-video':
        this.change((state) => ({ ...state, videoPaused: message.on }));
        return;
      case 'path':
        this.change((state) => ({ ...state, path: { way: message.way, failed: message.failed } }));
        return;
      default:
    }
  }

  private sweep(): void {
    this.cancelSweep = this.clock.after(SWEEP_MS, () => {
      this.change((state) => {
        const stills = expire(state.stills, this.clock.now());
        return stills === state.stills ? state : { ...state, stills };
      });
      this.sweep();
    });
  }
}
