import { expect, it } from 'vitest';
import { linkedCall } from './linked-call';

const link = { expedient: ' 2026-1 ', phone: '+34600123123', contact: 'Carmen', type: 'Diversos' };

it('fills the form in', () => {
  const { values, given, unknownType } = linkedCall(link);
  expect(values).toMatchObject({ type: 2, expedientNumber: '2026-1', contactPerson: 'Carmen' });
  expect(values).toMatchObject({ country: 'ES', phone: '600123123' });
  expect(given).toEqual(['expedientNumber', 'contactPerson', 'phone']);
  expect(unknownType).toBeNull();
  expect(linkedCall({ ...link, phone: '+33612345678' }).values).toMatchObject({ country: 'FR', phone: '612345678' });
});

it('keeps what is wrong as it came, for its field to say so', () => {
  const wrong = linkedCall({ expedient: '', phone: '12', contact: '<b>', type: 'barcos' });
  expect(wrong.values).toMatchObject({ type: 1, phone: '12', contactPerson: '<b>' });
  expect(wrong.given).toEqual(['contactPerson', 'phone']);
  expect(wrong.unknownType).toBe('barcos');
});
