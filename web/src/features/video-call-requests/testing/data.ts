import type { Customer, VideoCallRequest } from '../model';

/** Of every request below. */
export const NOW = Date.parse('2026-11-21T10:00:00Z');
export const iso = (seconds: number, from = NOW) => new Date(from + seconds * 1_000).toISOString();

export const requestOf = (given: Partial<VideoCallRequest> = {}, from = NOW): VideoCallRequest => ({
  _id: 'r1',
  region: 'Valencia/València',
  starterId: 'u1',
  starterName: 'Óscar Ribera',
  starterPhone: '+34656210448',
  starterCompany: 'Talleres Ribera, S.L.',
  customerId: 'c9',
  customerName: 'Peritaciones Levante, S.L.',
  insuranceCompanyId: 'i1',
  insuranceCompanyName: 'Mutua Tramontana',
  expedient: '2026-118401',
  type: 1,
  state: 'waiting',
  createdAt: iso(-221, from),
  expiresAt: iso(379, from),
  callbackAt: null,
  position: 2,
  acceptedBy: null,
  conferenceId: null,
  url: null,
  refusals: 0,
  plate: null,
  endedAt: null,
  ...given,
});

export const CUSTOMERS: Customer[] = [
  { _id: 'c3', company: 'Sureste', region: 'Alicante/Alacant', available: false, state: 'away', waiting: 0 },
  { _id: 'c2', company: 'Turia', region: 'Castellón/Castelló', available: false, state: 'call', waiting: 4 },
  { _id: 'c9', company: 'Levante', region: 'Valencia/València', available: true, state: 'free', waiting: 2 },
  { _id: 'c8', company: 'Ábaco', region: 'Madrid', available: true, state: 'free', waiting: 0 },
];
