/** What a person reads before the call, counted as it is rendered (CLIENT-28), and the number to call back (CLIENT-27). */
import { render } from 'preact';
import { describe, expect, it, vi } from 'vitest';
import { detectBrowser } from './browser';
import { Leave, Status } from './call/Overlays';
import { EMPTY } from './call/view';
import { LANGUAGES, loadTexts, type Translate, translate } from './i18n';
import { START, type State } from './machine';
import type { Language, LinkInfo } from './model';
import { Ended, Left, Resume } from './screens/after';
import { BrowserScreen } from './screens/browser';
import { Closed, Expired, Loading } from './screens/entry';
import { Declined, Notice } from './screens/notice';
import { PermissionStep } from './screens/permission';
import { showPage } from './show';
import { Around, Page } from './ui';

const notices = import.meta.glob<string>('../../crates/content/src/legal/notice_v2_*.html', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const codes = LANGUAGES.map(({ code }) => code);

function infoIn(language: Language): LinkInfo {
  const values = {
    company: 'Mutua Tramontana',
    expedient: '2026-118392',
    retention: 31,
    contact: 'rgpd@tramontana.es',
  };
  const text = notices[`../../crates/content/src/legal/notice_v2_${language}.html`] ?? '';
  const html = text.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => String(values[name]));
  return {
    state: 'open',
    company: values.company,
    adjuster: 'Nuria Ferrer',
    expedientNumber: values.expedient,
    type: 1,
    carId: '4821 LKM',
    contactPerson: 'Carmen',
    language,
    expiredAt: null,
    retentionDays: 31,
    legal: { documentId: 'd', version: 2, language, title: '', html, sha256: 'f' },
    recording: null,
    contactPhone: '+34 971 000 000',
  };
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const none = () => undefined;
const asked = (phase: 'explain' | 'asking'): State => ({
  ...START,
  screen: { at: 'permission', permission: 'devices', phase, refusal: null },
});

const SCREENS: Record<
  'loading' | 'notice' | 'devices' | 'asking' | 'connecting',
  (agent: string) => preact.JSX.Element
> = {
  loading: () => <Loading />,
  notice: () => (
    <Notice screen={{ at: 'notice', nudged: false, sending: null, failed: false }} read={false} send={none} />
  ),
  devices: (agent) => {
    const state = asked('explain');
    return <PermissionStep state={state} screen={state.screen as never} browser={detectBrowser(agent)} send={none} />;
  },
  asking: (agent) => {
    const state = asked('asking');
    return <PermissionStep state={state} screen={state.screen as never} browser={detectBrowser(agent)} send={none} />;
  },
  connecting: () => <Page title={translate('es', 'connecting')} busy />,
};

async function show(language: Language, page: preact.JSX.Element, part: Partial<LinkInfo> = {}): Promise<HTMLElement> {
  const place = document.createElement('div');
  document.body.append(place);
  const t: Translate = (key, values) => translate(language, key, values);
  const around = { t, language, setLanguage: none, info: { ...infoIn(language), ...part } };
  render(<Around.Provider value={around}>{page}</Around.Provider>, place);
  // The notice's markup comes with an effect.
  await vi.waitFor(() => expect(place.querySelector('.legal')?.children.length).not.toBe(0));
  return place;
}

/** Words in sight: without the second layer of the notice, and without what only screen readers say. */
function wordsOf(place: HTMLElement): string[] {
  for (const hidden of place.querySelectorAll('details > :not(summary), select, .av, svg')) hidden.remove();
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
  return texts
    .join(' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

describe('the screens before the call', () => {
  // CLIENT-28
  it.each(codes)('have at most 170 words together in %s', async (code) => {
    await loadTexts(code);
    for (const agent of [IPHONE, ANDROID]) {
      // The screen stays while the phone asks: only what is new on it is read.
      const [explained, asking] = await Promise.all(
        (['devices', 'asking'] as const).map(async (name) => wordsOf(await show(code, SCREENS[name](agent)))),
      );
      let total = (asking ?? []).filter((word) => !explained?.includes(word)).length + (explained?.length ?? 0);
      for (const name of ['loading', 'notice', 'connecting'] as const)
        total += wordsOf(await show(code, SCREENS[name](agent))).length;
      if (process.env.WORDS) console.log(code, total);
      expect(total).toBeGreaterThan(60);
      expect(total, code).toBeLessThanOrEqual(170);
    }
  });

  // LEGAL-9, CLIENT-5
  it.each(codes)('show the notice as points in %s, its second layer closed', async (code) => {
    const place = await show(code, SCREENS.notice(IPHONE));
    expect(place.querySelectorAll('.legal > ul > li')).toHaveLength(7);
    expect(place.querySelector('details')?.hasAttribute('open')).toBe(false);
    expect(place.querySelector('.hint')).toBeNull();
    expect(place.textContent).toContain('2026-118392');
  });

  it('let accept and reject weigh the same', async () => {
    const place = await show('es', SCREENS.notice(IPHONE));
    const [accept, reject] = Array.from(place.querySelectorAll('.pair .b'));
    expect(accept?.className).toBe(reject?.className);
  });

  // CLIENT-27
  it("have the company's number", async () => {
    const place = await show('es', SCREENS.notice(IPHONE));
    const number = place.querySelector('a[href="tel:+34971000000"]');
    expect(number?.textContent).toBe('+34 971 000 000');
    expect(number?.getAttribute('aria-label')).toBe('Llamar a Mutua Tramontana: +34 971 000 000');
  });
});

// CLIENT-27
describe('every page of a link', () => {
  const android = detectBrowser(ANDROID);
  const refused: State = {
    ...START,
    screen: { at: 'permission', permission: 'camera', phase: 'refused', refusal: 'blocked' },
  };
  const nothing = { pending: 0, percent: 0, failed: 0 };
  it.each<[string, preact.JSX.Element]>([
    ['the devices', SCREENS.devices(ANDROID)],
    ['the wait for an answer', SCREENS.asking(ANDROID)],
    [
      'a refusal',
      <PermissionStep key="r" state={refused} screen={refused.screen as never} browser={android} send={none} />,
    ],
    [
      'a browser that cannot',
      <BrowserScreen
        key="b"
        state={{ ...START, screen: { at: 'browser', kind: 'inapp' } as never }}
        browser={android}
        send={none}
      />,
    ],
    ['a notice that was declined', <Declined key="d" send={none} />],
    ['connecting', SCREENS.connecting(ANDROID)],
    ['coming back', <Resume key="o" opening={false} send={none} />],
    ['having left', <Left key="l" uploads={nothing} send={none} />],
    ['the end', <Ended key="e" uploads={nothing} />],
  ])('has the company’s number: %s', async (_name, page) => {
    const place = await show('es', page);
    expect(place.querySelector('header a[href="tel:+34971000000"]')?.textContent).toBe('+34 971 000 000');
  });
});

// CLIENT-45
describe('a link that no longer opens', () => {
  it.each<[string, LinkInfo['state'], preact.JSX.Element]>([
    ['an expired link', 'expired', <Expired key="x" />],
    ['a closed link', 'closed', <Closed key="c" />],
  ])('shows neither number nor case: %s', async (_name, state, page) => {
    // As the server answers it.
    const gone = { state, contactPhone: null, expedientNumber: null, carId: null, contactPerson: null, legal: null };
    const place = await show('es', page, gone);
    expect(place.textContent).toContain('Mutua Tramontana');
    expect(place.querySelector('a[href^="tel:"]')).toBeNull();
    expect(place.textContent).not.toContain('2026-118392');
  });
});

// CLIENT-27
describe('the call', () => {
  const number = (place: HTMLElement) => place.querySelector('a[href="tel:+34971000000"]')?.textContent;

  it('has the number where one leaves it', async () => {
    const place = await show('es', <Leave onStay={none} onLeave={none} />);
    expect(number(place)).toBe('Llamar a Mutua Tramontana');
  });

  it('has it while the network is gone, and then alone', async () => {
    const session = { retry: none } as never;
    const offline = await show('es', <Status view={{ ...EMPTY, link: 'offline' }} who="Nuria" session={session} />);
    expect(number(offline)).toBe('Llamar a Mutua Tramontana');
    const live = await show('es', <Status view={{ ...EMPTY, link: 'live' }} who="Nuria" session={session} />);
    expect(number(live)).toBeUndefined();
  });
});

// CLIENT-27
describe('a page whose script fails', () => {
  it('keeps its first picture, with the help in view', () => {
    const place = document.createElement('div');
    place.innerHTML = '<p class="late">La página no se abre</p>';
    const Broken = () => {
      throw new Error('broken');
    };
    showPage(place, <Broken />);
    expect(place.textContent).toBe('La página no se abre');
    expect(place.className).toBe('failed');
    showPage(place, <p>hola</p>);
    expect(place.textContent).toBe('hola');
  });

  it.each(['index', 'files'])('has the help between the marks of the server in %s.html, twice', async (name) => {
    const pages = import.meta.glob<string>('./*.html', { query: '?raw', import: 'default' });
    const html = (await pages[`./${name}.html`]?.()) ?? '';
    expect(html.split('<!--help-->')).toHaveLength(3);
    expect(html.split('<!--/help-->')).toHaveLength(3);
    expect(html.indexOf('<noscript>')).toBeLessThan(html.indexOf('id="app"'));
  });
});
