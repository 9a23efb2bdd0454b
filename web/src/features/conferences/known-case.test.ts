import { expect, test } from 'vitest';
import type { ConferenceRow } from '@/api/types';
import { missingOf, provinceFor } from './known-case';
import { emptyValues } from './videocall-form';

const known = {
  contactPerson: 'Lucía Prat',
  phoneNumber: '+34600111222',
  carId: '1234BCD',
  address: 'Calle Mayor 1',
  postalCode: '28013',
  city: 'Madrid',
  cityRegion: null,
} as unknown as ConferenceRow;

test('the last conference fills in what is empty and nothing else', () => {
  const values = { ...emptyValues(), contactPerson: 'Otra persona' };
  expect(missingOf(known, values)).toEqual({
    phone: '+34600111222',
    carId: '1234BCD',
    address: 'Calle Mayor 1',
    postalCode: '28013',
    city: 'Madrid',
  });
  // Diversos have no plate.
  expect(missingOf(known, { ...values, type: 2 }).carId).toBeUndefined();
});

test('a postal code names its province while the field is empty', () => {
  expect(provinceFor('28013', '')).toBe('Madrid');
  expect(provinceFor('08001', ' ')).toBe('Barcelona');
  expect(provinceFor('2801', '')).toBeNull();
  expect(provinceFor('28013', 'Toledo')).toBeNull();
  expect(provinceFor('99999', '')).toBeNull();
});
