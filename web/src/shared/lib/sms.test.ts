import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smsSize } from './sms';

interface Vector {
  text: string;
  encoding: string;
  units: number;
  segments: number;
}

// The same vectors as the server's counter.
const path = resolve(import.meta.dirname, '../../../../crates/messaging/tests/sms.json');
const vectors: Vector[] = JSON.parse(readFileSync(path, 'utf8')).cases;

describe('SMS length', () => {
  it.each(vectors)('$encoding, $units units, $segments parts', ({ text, encoding, units, segments }) => {
    expect(smsSize(text)).toEqual({ encoding, units, segments });
  });
});
