import { ClientDevice } from './core/client-device';
import { Commands } from './core/commands';
import { Devices } from './core/devices';
import { HealthMonitor } from './core/health-monitor';
import { OwnPath } from './core/own-path';
import type { RoomPort } from './core/ports';
import { CallSession, type JoinTicket } from './core/session';
import { DrawChannel } from './drawing/draw-channel';
import { PointChannel } from './pointing/channel';

/** One call's parts, wired. */
export interface CallEngine {
  session: CallSession;
  commands: Commands;
  pointing: PointChannel;
  drawing: DrawChannel;
  devices: Devices;
  client: ClientDevice;
  health: HealthMonitor;
  path: OwnPath;
  dispose(): void;
}

export function createEngine(room: RoomPort, ticket: () => Promise<JoinTicket>): CallEngine {
  const session = new CallSession({ room, ticket });
  const commands = new Commands(room);
  const pointing = new PointChannel(room);
  const drawing = new DrawChannel(room);
  const devices = new Devices(session, window.navigator.mediaDevices);
  const client = new ClientDevice(session, commands, () => crypto.randomUUID());
  const health = new HealthMonitor(session);
  const path = new OwnPath(session);
  return {
    session,
    commands,
    pointing,
    drawing,
    devices,
    client,
    health,
    path,
    dispose() {
      health.stop();
      path.stop();
      client.dispose();
      devices.dispose();
      drawing.dispose();
      pointing.dispose();
      commands.dispose();
      session.dispose();
    },
  };
}
