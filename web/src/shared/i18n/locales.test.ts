// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle } from '@/test/texts';
import { LITERALS } from './literals';

const es = bundle('es');
const en = bundle('en');

const flat = (texts: Record<string, Record<string, string>>) =>
  Object.entries(texts).flatMap(([namespace, keys]) =>
    Object.entries(keys).map(([key, text]): [string, string] => [`${namespace}.${key}`, text]),
  );

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

/** Every source file of the staff app, without tests. */
const sources = readdirSync(resolve(import.meta.dirname, '../..'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^test\//.test(file))
  .map((file) => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8'))
  .join('\n');

const spanish = new Map(flat(es));
const has = (key: string) => spanish.has(key) || spanish.has(`${key}_other`);

describe('texts', () => {
  it('has the same keys in every language', () => {
    expect([...new Map(flat(en)).keys()].sort()).toEqual([...spanish.keys()].sort());
  });

  it('has the same placeholders in every language', () => {
    const english = new Map(flat(en));
    const different = [...spanish].filter(
      ([key, text]) => placeholders(text).join() !== placeholders(english.get(key) ?? '').join(),
    );
    expect(different).toEqual([]);
  });

  it('has no empty text', () => {
    expect([...flat(es), ...flat(en)].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('has every key that the code names', () => {
    const named = [...sources.matchAll(/\bt\(\s*'([a-zA-Z]+\.[\w-]+)'/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(150);
    expect([...new Set(named)].filter((key) => !has(key))).toEqual([]);
  });

  it('has a key for every head of a composed one', () => {
    const heads = [...sources.matchAll(/\bt\(`([a-zA-Z]+\.[\w-]*)\$\{/g)].map((match) => match[1] ?? '');
    const missing = [...new Set(heads)].filter((head) => ![...spanish.keys()].some((key) => key.startsWith(head)));
    expect(missing).toEqual([]);
  });

  it('keeps the literal texts of the specification', () => {
    expect(es.language).toMatchObject({
      changeError: LITERALS.changeError,
      loadError: LITERALS.loadError,
      error: LITERALS.error,
      missing: LITERALS.missing,
    });
    expect(es.login?.companyDefault).toBe('Company');
    expect([es.videocall?.type1, es.videocall?.type2]).toEqual(['Autos', 'Diversos']);
  });
});
