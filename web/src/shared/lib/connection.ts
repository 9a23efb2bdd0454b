import type { T } from '@/shared/i18n';
import { countText } from './format';

/** How media come (docs/rules/calls.md, CALL-61). */
export type ConnectionWay = 'udp' | 'tcp' | 'relay-udp' | 'relay-tcp' | 'relay-tls';
export type ConnectionFailure = 'camera' | 'microphone' | 'udp' | 'tcp' | 'relay' | 'bandwidth' | 'media' | 'server';

export interface Connection {
  /** Null while nothing passes. */
  way: ConnectionWay | null;
  failed: readonly ConnectionFailure[];
}

const WAYS = {
  udp: 'call.way_udp',
  tcp: 'call.way_tcp',
  'relay-udp': 'call.way_relay_udp',
  'relay-tcp': 'call.way_relay_tcp',
  'relay-tls': 'call.way_relay_tls',
} as const;

const FAILURES = {
  camera: 'call.fails_camera',
  microphone: 'call.fails_microphone',
  udp: 'call.fails_udp',
  tcp: 'call.fails_tcp',
  relay: 'call.fails_relay',
  bandwidth: 'call.fails_bandwidth',
  media: 'call.fails_media',
  server: 'call.fails_server',
} as const;

/** `Directa (UDP)`, `Por relé (TLS)`; that there is none. */
export const wayText = (t: T, { way }: Connection): string => t(way ? WAYS[way] : 'call.way_none');

/** `Falla: UDP, cámara`; null when nothing does. */
export const failuresText = (t: T, { failed }: Connection): string | null =>
  failed.length ? t('call.fails', { what: failed.map((one) => t(FAILURES[one])).join(', ') }) : null;

/** Both in one line. */
export const connectionText = (t: T, connection: Connection): string =>
  [wayText(t, connection), failuresText(t, connection)].filter(Boolean).join(' · ');

interface Numbers {
  rttMs?: number | null;
  kbps?: number | null;
  lossPercent?: number | null;
}

/** `42 ms · 1.200 kbit/s · 4 %`, of what is known. */
export function connectionNumbers({ rttMs, kbps, lossPercent }: Numbers, language: string): string {
  const numbers: [number | null | undefined, string][] = [
    [rttMs, 'ms'],
    [kbps, 'kbit/s'],
    [lossPercent, '%'],
  ];
  return numbers.flatMap(([value, unit]) => (value == null ? [] : `${countText(value, language)} ${unit}`)).join(' · ');
}
