import { expect, it } from 'vitest';
import type { ConferenceRow } from '@/api/types';
import { caseFacts } from './facts';

const row = (createdAt: string, changes: Partial<ConferenceRow> = {}) =>
  ({
    createdAt,
    type: 1,
    customerName: 'Peritaciones Levante',
    phoneNumber: '',
    contactPerson: null,
    fullAddress: null,
    address: null,
    city: null,
    carId: null,
    ...changes,
  }) as ConferenceRow;

it('takes each fact from the newest call that knows it', () => {
  const facts = caseFacts([
    row('2026-11-01T10:00:00Z', { carId: '4821 LKM', contactPerson: 'Carmen', city: 'Sagunto' }),
    row('2026-11-03T10:00:00Z', { contactPerson: 'Vicente', phoneNumber: '+34600123666' }),
    row('2026-11-02T10:00:00Z', { phoneNumber: '+34600000000' }),
  ]);
  expect(facts).toEqual({
    contactPerson: 'Vicente',
    phoneNumber: '+34600123666',
    place: 'Sagunto',
    carId: '4821 LKM',
    customerName: 'Peritaciones Levante',
    type: 1,
    firstAt: '2026-11-01T10:00:00Z',
    lastAt: '2026-11-03T10:00:00Z',
  });
});

it('knows nothing of a case without calls', () => {
  expect(caseFacts([])).toMatchObject({ contactPerson: null, firstAt: null, lastAt: null });
});
