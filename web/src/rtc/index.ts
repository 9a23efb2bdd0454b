export { Commands, type Received } from './core/commands';
export { type Device, type DeviceError, type DeviceKind, Devices, type DevicesState } from './core/devices';
export { barsOf, type Level, type Verdict } from './core/health';
export { HealthMonitor } from './core/health-monitor';
export type { Caps, Position, StillState } from './core/messages';
export { isLive, mainPicture, type ParticipantView, type People, type TrackView } from './core/participants';
export type { RoomPort } from './core/ports';
export { CallSession, type CallStatus, type EndReason } from './core/session';
export type { Still } from './core/stills';
