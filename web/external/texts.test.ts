import { describe, expect, it } from 'vitest';
import en from '../../locales/en/client.json';
import es from '../../locales/es/client.json';
import { pickLanguage, pieces, translate } from './i18n';
import { cleanLegal } from './legal';
import { parseOutcomes } from './memory';
import { initials, whoOf } from './ui';

const braces = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('the texts', () => {
  it('have the same keys and places in both languages', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(es).sort());
    for (const key of Object.keys(es) as (keyof typeof es)[]) {
      expect(new Set(braces(en[key])), key).toEqual(new Set(braces(es[key])));
      expect(es[key].trim(), key).not.toBe('');
    }
  });

  it('fill their places, and leave an unknown one visible', () => {
    expect(translate('es', 'told', { who: 'Nuria' })).toBe('Nuria ya sabe lo que le pasa y le espera.');
    expect(translate('es', 'told')).toContain('{who}');
  });

  it('follow the choice, then the browser', () => {
    expect(pickLanguage(null, ['en-GB', 'es'])).toBe('en');
    expect(pickLanguage('es', ['en-GB'])).toBe('es');
    expect(pickLanguage(null, ['fr-FR', 'de', 'es-ES'])).toBe('es');
    expect(pickLanguage(null, ['fr'])).toBeNull();
  });

  it('split their marks', () => {
    expect(pieces('Toque [[aA]] y **Permitir**')).toEqual([
      { kind: 'text', text: 'Toque ' },
      { kind: 'key', text: 'aA' },
      { kind: 'text', text: ' y ' },
      { kind: 'strong', text: 'Permitir' },
    ]);
  });
});

describe('who is calling', () => {
  it.each([
    ['Mutua Tramontana', 'MT'],
    ['Gabinete de la Torre, S.L.', 'GT'],
    ['Óptima', 'Ó'],
    ['123', '·'],
  ])('%s → %s', (company, short) => expect(initials(company)).toBe(short));

  it('is the first name, else the company', () => {
    expect(whoOf({ adjuster: 'Nuria Ferrer', company: 'X' } as never)).toBe('Nuria');
    expect(whoOf({ adjuster: null, company: 'Mutua Tramontana' } as never)).toBe('Mutua Tramontana');
    expect(whoOf({ adjuster: '  ', company: 'Mutua' } as never)).toBe('Mutua');
  });
});

describe('the legal notice', () => {
  const html = (text: string) => {
    const place = document.createElement('div');
    place.append(cleanLegal(text));
    return place.innerHTML;
  };
  it('keeps words, lists and links', () => {
    expect(html('<p class="x" onclick="x()">a <strong style="color:red">b</strong></p>')).toBe(
      '<p>a <strong>b</strong></p>',
    );
    expect(html('<a href="https://a.example/x">x</a>')).toContain('href="https://a.example/x"');
    expect(html('<details><summary>i</summary><p>t</p></details>')).toBe(
      '<details><summary>i</summary><p>t</p></details>',
    );
  });
  it.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<img src=x onerror=alert(1)>a', 'a'],
    ['<svg><title>x</title></svg>a', 'a'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<font>a</font>', 'a'],
  ])('%s', (from, to) => expect(html(from)).toBe(to));
});

describe('what the phone remembers', () => {
  it('is read with distrust', () => {
    expect(parseOutcomes(null)).toBeNull();
    expect(parseOutcomes('{broken')).toEqual({ camera: 'pending', microphone: 'pending', geolocation: 'pending' });
    expect(parseOutcomes('{"camera":"granted","microphone":7}')).toEqual({
      camera: 'granted',
      microphone: 'pending',
      geolocation: 'pending',
    });
  });
});
