import { price } from '@/test/price';
import type { DiffBlock, Pending } from './api';

/** A new text and new prices to be accepted. For tests. */
export const pending: Pending = {
  pending: [{ legalId: 'general-2', type: 1, title: 'Condiciones generales', version: 2, previousId: 'general-1' }],
  price: { ...price, previousId: 'p1' },
  declinedAt: null,
};

/** What changed from one text to the next. For tests. */
export const diff: DiffBlock[] = [
  { kind: 'same', text: 'Objeto', parts: [] },
  { kind: 'same', text: 'Primero.', parts: [] },
  { kind: 'same', text: 'Segundo.', parts: [] },
  {
    kind: 'changed',
    text: 'Los archivos se conservan 60 días.',
    parts: [
      { kind: 'same', text: 'Los archivos se conservan ' },
      { kind: 'removed', text: '30' },
      { kind: 'added', text: '60' },
      { kind: 'same', text: ' días.' },
    ],
  },
  { kind: 'added', text: 'Un párrafo nuevo.', parts: [] },
];
