import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldAccents, smsSize } from './sms';

interface Vector {
  text: string;
  encoding: string;
  units: number;
  segments: number;
  folded: string;
  folded_segments: number;
}

// The same vectors as the server's counter.
const path = resolve(import.meta.dirname, '../../../../crates/messaging/tests/sms.json');
const vectors: Vector[] = JSON.parse(readFileSync(path, 'utf8')).cases;

describe('SMS length', () => {
  it.each(vectors)('$encoding, $units units, $segments parts', ({ text, encoding, units, segments }) => {
    expect(smsSize(text)).toEqual({ encoding, units, segments });
  });

  it.each(vectors)('is folded to $folded_segments parts', ({ text, folded, folded_segments }) => {
    expect(foldAccents(text)).toBe(folded);
    expect(smsSize(folded).segments).toBe(folded_segments);
  });

  it('tears no character of two units', () => {
    expect(smsSize(`${'a'.repeat(152)}€${'a'.repeat(152)}`).segments).toBe(3);
    expect(smsSize(`${'á'.repeat(66)}😀${'á'.repeat(66)}`).segments).toBe(3);
  });

  it('folds each character of the table once', () => {
    expect(foldAccents('áéñ «sí» …–\u00a0')).toBe('aéñ "si" ...- ');
    expect(smsSize(foldAccents('áíóúÁÍÓÚÀÈÌÒÙçïÏëËâêîôûãõ·«»“”‘’–—ªº')).encoding).toBe('GSM-7');
  });
});
