import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composed, lengthOf, MOVES, senderProblem, senderState, sizeOf, stepsDone, textProblem } from './model';

// The same vectors as the server's rule.
const path = resolve(import.meta.dirname, '../../../../crates/messaging/tests/sms.json');
const { sender }: { sender: { valid: string[]; invalid: string[] } } = JSON.parse(readFileSync(path, 'utf8'));

describe('the text', () => {
  it('is counted with its link, as it is sent', () => {
    const link = 'https://v.example.es/c/a1B2c3D4e5';
    expect(composed(' Conexión: ', link, false)).toBe(`Conexión: ${link}`);
    expect(composed('Conexión:', link, true)).toBe(`Conexion: ${link}`);
    expect(sizeOf('Conexión para ver los daños de su vehículo:', link, false)).toMatchObject({ segments: 2 });
    expect(sizeOf('Conexión para ver los daños de su vehículo:', link, true)).toMatchObject({ segments: 1 });
    expect(lengthOf(' ñ😀 ')).toBe(2);
  });

  it('may have exactly the maximum, on one line', () => {
    expect(textProblem('ñ'.repeat(100))).toBeNull();
    expect(textProblem('x'.repeat(101))).toBe('long');
    for (const bad of ['a\nb', 'a<b', 'a\u0007']) expect(textProblem(bad), bad).toBe('characters');
  });
});

describe('the sender', () => {
  it.each(sender.valid.filter((name) => name !== ''))('may be %s', (name) => expect(senderProblem(name)).toBeNull());
  it.each(sender.invalid.filter((name) => name !== ''))('may not be "%s"', (name) =>
    expect(senderProblem(name)).not.toBeNull(),
  );

  it('is told what is wrong with it', () => {
    const wrong = { AB: 'short', '123456': 'letter', Aseguradora12: 'long', ' Taller': 'spaces', Ñandú: 'characters' };
    for (const [name, problem] of Object.entries(wrong)) expect(senderProblem(name), name).toBe(problem);
    expect(senderProblem('')).toBeNull();
  });

  it('has its registration go its way', () => {
    expect(senderState({ sms: '', status: 'draft' })).toBe('none');
    expect(senderState({ sms: 'Peritos-1', status: 'requested' })).toBe('requested');
    expect(['none', 'draft', 'rejected', 'requested', 'registered'].map((s) => stepsDone(s as never))).toEqual([
      0, 1, 1, 3, 4,
    ]);
    for (const [from, ways] of Object.entries(MOVES)) expect(ways).toContain(from);
  });
});
