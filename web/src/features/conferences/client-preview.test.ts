// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { bundle } from '@/test/texts';

const notice = (language: string) =>
  readFileSync(resolve(import.meta.dirname, `../../../../crates/content/src/legal/notice_v2_${language}.html`), 'utf8');

it.each(['es', 'ca', 'en', 'eu', 'fr', 'gl', 'pt'])(
  'shows the first points of what the client reads: %s',
  (language) => {
    const page = new DOMParser().parseFromString(notice(language), 'text/html');
    const points = [...page.querySelectorAll('li')].map(({ textContent }) => textContent).slice(0, 4);
    expect(points).toHaveLength(4);
    expect(bundle(language).videocall?.previewLegal?.split('\n')).toEqual(points);
  },
);
