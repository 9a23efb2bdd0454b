import { describe, expect, it } from 'vitest';
import check from '../../locales/es/check.json';
import es from '../../locales/es/client.json';
import upload from '../../locales/es/upload.json';
import visit from '../../locales/es/visit.json';
import { loadCheckTexts, sayCheck } from './check/texts';
import { loadTexts as loadUpload, translate as sayUpload } from './files/texts';
import { LANGUAGES, loadTexts, pickLanguage, pieces, translate } from './i18n';
import { cleanLegal } from './legal';
import { parseOutcomes } from './memory';
import { initials, whoOf } from './ui';
import { loadVisitTexts, sayVisit } from './visit/texts';
import { directionOf, languageName, markPage, textsOf } from './words';

const SPACES = { check, client: es, upload, visit };
const never = () => new Promise<never>(() => {});
const codes = LANGUAGES.map(({ code }) => code);
const NOT_YET = {
  ca: never,
  eu: never,
  gl: never,
  en: never,
  fr: never,
  pt: never,
  de: never,
  it: never,
  ro: never,
  ar: never,
};
const braces = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const marks = (text: string) => (text.match(/\*\*|\[\[|\]\]/g) ?? []).sort();

function expectAlike<K extends string>(spanish: Record<K, string>, say: (key: K) => string): void {
  for (const key of Object.keys(spanish) as K[]) {
    const text = say(key);
    expect(new Set(braces(text)), key).toEqual(new Set(braces(spanish[key])));
    expect(marks(text), key).toEqual(marks(spanish[key]));
    expect(text.trim(), key).not.toBe('');
  }
}

describe('the texts', () => {
  it.each(codes)('have the same keys and places in %s', async (code) => {
    await Promise.all([loadTexts(code), loadUpload(code), loadVisitTexts(code), loadCheckTexts(code)]);
    expectAlike(es, (key) => translate(code, key));
    expectAlike(upload, (key) => sayUpload(code, key));
    expectAlike(visit, (key) => sayVisit(code, key));
    expectAlike(check, (key) => sayCheck(code, key));
  });

  // CLIENT-21
  it.each(Object.keys(SPACES) as (keyof typeof SPACES)[])(
    'of %s are in eleven languages, with no key too many',
    async (space) => {
      const files = import.meta.glob<Record<string, string>>('../../locales/*/{check,client,upload,visit}.json', {
        import: 'default',
      });
      const found = Object.entries(files).filter(([path]) => path.endsWith(`/${space}.json`));
      expect(found.map(([path]) => path.split('/')[3]).sort()).toEqual([...codes].sort());
      const keys = Object.keys(SPACES[space]).sort();
      for (const [path, load] of found) expect(Object.keys(await load()).sort(), path).toEqual(keys);
    },
  );

  it('stay Spanish while a language has not come', () => {
    const { translate: say, spoken } = textsOf({ hi: 'Hola' }, NOT_YET);
    expect(say('fr', 'hi')).toBe('Hola');
    expect(spoken('ar')).toBe('es');
  });

  it('fill their places, and leave an unknown one visible', () => {
    expect(translate('es', 'told', { who: 'Nuria' })).toBe('Nuria ya sabe lo que le pasa y le espera.');
    expect(translate('es', 'told')).toContain('{who}');
  });

  // CLIENT-21
  it('follow the choice, then the browser', () => {
    expect(pickLanguage(null, ['en-GB', 'es'])).toBe('en');
    expect(pickLanguage('es', ['en-GB'])).toBe('es');
    expect(pickLanguage(null, ['nl-NL', 'pl', 'es-ES'])).toBe('es');
    expect(pickLanguage(null, ['fr-FR', 'es'])).toBe('fr');
    expect(pickLanguage(null, ['ar-MA', 'fr-FR', 'es'])).toBe('ar');
    expect(pickLanguage(null, ['de-CH'])).toBe('de');
    expect(pickLanguage('it', ['ro-RO'])).toBe('it');
    expect(pickLanguage(null, ['rom', 'nl'])).toBeNull();
  });

  // CLIENT-21
  it('are written to the side that the language is', () => {
    markPage('ar');
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual(['ar', 'rtl']);
    markPage('de');
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual(['de', 'ltr']);
    expect(codes.filter((code) => directionOf(code) === 'rtl')).toEqual(['ar']);
  });

  it('keep the direction of a name in a sentence from right to left, and a comma in the sentence', async () => {
    await Promise.all([loadTexts('ar'), loadUpload('ar')]);
    expect(translate('ar', 'call_waiting', { who: 'Nuria' })).toBe('في انتظار \u2068Nuria\u2069…');
    expect(translate('ar', 'upload_many', { n: 3 })).toContain('3');
    expect(sayUpload('ar', 'done_title', { name: '، Carmen' })).toBe('اكتمل كل شيء، \u2068Carmen\u2069');
    expect(translate('de', 'call_waiting', { who: 'Nuria' })).toBe('Wir warten auf Nuria…');
  });

  it('name the language of the notice in the language of the page', () => {
    expect(languageName('es', 'de')).toBe('Spanisch');
    expect(languageName('es', 'ro')).toBe('spaniolă');
    expect(languageName('es-ES', 'xx' as never)).toMatch(/./);
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

// CLIENT-22
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
