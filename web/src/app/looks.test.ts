// The table in docs/LOOKS.md, as far as sources and texts can show it.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

/** Names that mean a thing which has another name in that language. */
const OTHER_NAMES: Record<string, RegExp> = {
  es: /\bclaves? de acceso\b|passkey|segundo factor|doble factor|dos factores|\b2FA\b|outbox/i,
  ca: /passkey|segon factor|doble factor|dos factors|\b2FA\b|outbox/i,
  gl: /passkey|segundo factor|dobre factor|dous factores|\b2FA\b|outbox/i,
  eu: /passkey|bigarren faktore|bi faktore|\b2FA\b|outbox/i,
  en: /access keys?\b|second factor|two-factor|\b2FA\b/i,
  fr: /passkey|second facteur|double facteur|deux facteurs|\b2FA\b|outbox/i,
  pt: /passkey|segundo fator|dois fatores|duplo fator|\b2FA\b|outbox/i,
};

function textsOf(language: string): [string, string][] {
  const folder = `locales/${language}`;
  return readdirSync(resolve(root, folder))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      Object.entries(JSON.parse(read(`${folder}/${file}`)) as Record<string, string>).map(
        ([key, text]): [string, string] => [`${file}: ${key}`, text],
      ),
    );
}

/** The colours of one scheme, by token. */
function scheme(name: 'dark' | 'light'): Map<string, string> {
  const css = read('web/src/app/tokens.css');
  const start = css.indexOf(`:root[data-mantine-color-scheme="${name}"] {`);
  const block = css.slice(start, css.indexOf('\n}', start));
  return new Map(
    [...block.matchAll(/--at-([\w-]+): (#[\da-f]{6});/g)].map(([, token = '', colour = '']) => [token, colour]),
  );
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('names', () => {
  it.each(Object.keys(OTHER_NAMES))('are one for each thing: %s', (language) => {
    const texts = textsOf(language);
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.filter(([, text]) => OTHER_NAMES[language]?.test(text))).toEqual([]);
  });
});

/** The sources of the staff's app, without the tests. */
const sources = new Map(
  readdirSync(resolve(root, 'web/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^test/.test(file))
    .map((file): [string, string] => [file, read(`web/src/${file}`)]),
);

/** Who may write a number or a date by hand, and the few that only read one. */
const WRITERS = [
  'shared/lib/dates.ts',
  'shared/lib/day-range.ts',
  'shared/lib/format.ts',
  'shared/lib/money.ts',
  'shared/lib/months.ts',
];

describe('numbers and dates', () => {
  const writes = /\.toLocale(?:Date|Time)?String\(|new Intl\.(?:Number|DateTime|RelativeTime)Format\(/;

  it('are written by the shared formats alone', () => {
    expect(sources.size).toBeGreaterThan(300);
    const found = [...sources].filter(([, source]) => writes.test(source)).map(([file]) => file);
    expect(found.sort()).toEqual(WRITERS);
  });

  // PLACE-6
  it('round degrees in one place', () => {
    const rounded = [...sources].filter(([, source]) => /(?:latitude|longitude)\b\)?\.toFixed\([^4]\)/.test(source));
    expect(rounded.map(([file]) => file)).toEqual(['shared/lib/coordinates.ts']);
  });

  it('are written for a locale, never for a bare language', () => {
    const bare = /\.toLocale(?:Date|Time)?String\((?:language\b|\))|Intl\.(?:Number|DateTime)Format\(language\b/;
    expect(WRITERS.filter((file) => bare.test(sources.get(file) ?? ''))).toEqual([]);
  });

  it('are written by one file on the pages of clients', () => {
    const folder = resolve(root, 'web/external');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.|node_modules/.test(file),
    );
    expect(files.filter((file) => writes.test(read(`web/external/${file}`)))).toEqual(['words.ts']);
  });
});

describe('controls', () => {
  const theme = read('web/src/app/theme.module.css');

  it.each(['dark', 'light'] as const)('have a border of 3:1 when empty: %s', (name) => {
    const colours = scheme(name);
    const of = (token: string) => colours.get(token) ?? '';
    for (const ground of ['bg', 's1', 's2']) {
      expect(contrast(of('field'), of(ground)), ground).toBeGreaterThanOrEqual(3);
    }
    expect(theme).toMatch(/\.tick:not\(:checked\)[^{]*\{\s*border-color: var\(--at-field\);/);
    expect(read('web/src/app/theme.ts')).toMatch(/Checkbox\.extend\(\{ classNames: \{ input: classes\.tick/);
  });

  it('are 16 px and 44 px on phones', () => {
    const phones = theme.slice(theme.indexOf('@media (max-width: 48em)'));
    expect(phones).toContain('font-size: var(--at-fs-16)');
    expect(phones).toContain('min-height: var(--at-ctl-lg)');
    expect(read('web/src/app/tokens.css')).toMatch(/--at-ctl-lg: 44px;[\s\S]*/);
  });

  it('show an icon beside the sentence of an error', () => {
    expect(theme).toMatch(/\.error::before \{\s*content: "!" \/ "";/);
  });

  it('say their errors by one component', () => {
    // What Mantine's fields say by themselves comes out the same way: the theme gives both the icon.
    expect(read('web/src/app/theme.ts')).toMatch(/InputError: \{ classNames: \{ error: classes\.error \} \}/);
    const own = [...sources].filter(([, source]) => /className=\{classes\.error\}/.test(source));
    // Why a message was not delivered: no field.
    expect(own.map(([file]) => file)).toEqual(['features/message-service/components/OutboxRow.tsx']);
  });

  it('say beside every red border what to write', () => {
    const isBare = (tag: string) => /error=\{(?:[^}]*[!=]== null|!+\w+|Boolean\(\w+\)|true)\}/.test(tag);
    const fields = /<(?:\w*Input|Textarea|Select|\w*Field|\w*Picker)\b(?:=>|[^>])*>/g;
    const bare = [...sources].filter(([, source]) =>
      (source.match(fields) ?? []).some((tag) => isBare(tag) && !/'aria-describedby'/.test(tag)),
    );
    // Within a wrapper that says the sentence and names it to each of its fields.
    expect(bare.map(([file]) => file)).toEqual(['shared/forms/CodeField.tsx']);
  });

  it('say what to write, never only that something is missing', () => {
    const vague = [...sources].filter(([, source]) =>
      /['"`](?:common|incidences)\.required['"`]|clientfiles\.empty/.test(source),
    );
    expect(vague.map(([file]) => file)).toEqual([]);
    const texts = textsOf('es').filter(([key]) => !key.startsWith('errors.json'));
    expect(texts.filter(([, text]) => /^(?:Falta un c|C)ampo obligatorio/.test(text))).toEqual([]);
  });

  it('say an error as the error of a field, never in place of other words', () => {
    const screens = [...sources].filter(([file]) => file.endsWith('.tsx'));
    const instead = screens.filter(([, source]) => /(?<!\berror=\{[^}]*)\berrors\.\w+ (?:\?\?|\|\|)/.test(source));
    expect(instead.map(([file]) => file)).toEqual([]);
  });

  it.each(Object.keys(OTHER_NAMES))('say in a phone’s width what a list is searched by: %s', (language) => {
    // 190 px of 16 px type beside the button of chosen filters; `service/screens.test.mjs` measures the Spanish ones.
    const texts = textsOf(language).filter(([key]) => /: search(?:Diversos)?$/.test(key));
    expect(texts.length).toBeGreaterThanOrEqual(8);
    expect(texts.filter(([, text]) => text.length > 24)).toEqual([]);
  });

  it('have their words centred in segments', () => {
    expect(read('web/src/shared/ui/Segmented.module.css')).toMatch(/\.option \{[^}]*justify-content: center;/);
  });
});

/** The opening tags of buttons in a source. */
const buttonsOf = (source: string) => [...source.matchAll(/<Button\b(?:=>|[^>])*>/g)].map(([tag]) => tag);

/** Files with a dialog that hold a filled button outside of it, and why. */
const FILLED_BESIDES: Record<string, string> = {
  'shared/ui/DialogButtons.tsx': 'the main button',
  'features/news/components/NewsDialog.tsx': 'a carousel: its way on is its next slide',
  'features/conferences/pages/ConferencesPage.tsx': 'the page, whose dialog is a list',
  'features/incidences/pages/IncidencesPage.tsx': 'the page, whose dialog is another file',
  'features/insurers/pages/InsurersPage.tsx': 'the page, whose dialog is another file',
  'features/campaigns/components/Campaigns.tsx': 'the page, whose dialog is another file',
  'features/notifications/pages/GeneralNotificationPage.tsx': 'the page, whose dialog is another file',
};

describe('buttons of dialogs', () => {
  const having = (what: RegExp) => [...sources].flatMap(([file, source]) => (what.test(source) ? [file] : [])).sort();

  it('are cancelled by one component', () => {
    expect(having(/'common\.cancel'/)).toEqual([
      // Stands for declining the terms, until they are accepted.
      'features/activation/components/CompanyActivationForm.tsx',
      'shared/ui/DialogButtons.tsx',
    ]);
  });

  it('are filled by one component', () => {
    const dialogs = having(/<Modal\b|\bmodals\.open|<ComposerModal\b/);
    expect(dialogs.length).toBeGreaterThan(25);
    const filled = dialogs.filter((file) =>
      buttonsOf(sources.get(file) ?? '').some((tag) => !/variant="(?:default|subtle)"/.test(tag)),
    );
    expect(filled.filter((file) => !(file in FILLED_BESIDES))).toEqual([]);
  });

  it('are red in one component', () => {
    const red = [...sources].filter(([, source]) =>
      buttonsOf(source).some((tag) => /color=(?:"red"|\{[^}]*'red')/.test(tag)),
    );
    expect(red.map(([file]) => file)).toEqual(['shared/ui/DialogButtons.tsx']);
  });

  it('weigh the same when terms are accepted or declined', () => {
    const tags = buttonsOf(sources.get('shared/terms/ConsentButtons.tsx') ?? '');
    expect(tags).toHaveLength(2);
    for (const tag of tags) expect(tag).toMatch(/variant="default" className=\{classes\.choice\}/);
  });
});

describe('toasts', () => {
  const files = readdirSync(resolve(root, 'web/src/features'), { recursive: true, encoding: 'utf8' });
  const source = (file: string) => read(`web/src/features/${file}`);
  const kept = /\.bar \{[^}]*position: sticky;\s*bottom: 0;/;
  const sheets = files.filter((file) => file.endsWith('.module.css') && kept.test(source(file)));

  it('show above a bar of buttons at the foot of a page', () => {
    expect(read('web/src/app/app.css')).toMatch(/:root:has\(\[data-foot\]\) \.mantine-Notifications-root/);
    const bars = files.filter((file) => {
      if (!file.endsWith('.tsx')) return false;
      const text = source(file);
      const own = sheets.some((sheet) => text.includes(`/${sheet.split('/').at(-1)}'`));
      return own && text.includes('className={classes.bar}');
    });
    expect(bars.length).toBeGreaterThanOrEqual(sheets.length);
    for (const file of bars) expect(source(file), file).toContain('className={classes.bar} data-foot');
  });
});
