import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { paragraphs } from '@/shared/lib/markup';
import { session } from '@/shared/session';
import { fakeServer, LEGAL, press, problem, showPage, type } from '@/test/pages';
import { seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { diff } from '../testing';
import type { LegalVersion } from '../versions/api';
import { legalMarkup } from '../versions/markup';
import { problemsOf } from '../versions/model';
import { LegalsPage } from './LegalsPage';

const version = (type: number, number: number, languages: ('es' | 'en')[], inForce: boolean): LegalVersion => ({
  type,
  version: number,
  inForceFrom: `2026-0${number}-01T00:00:00Z`,
  inForce,
  accepted: number * 10,
  texts: languages.map((language) => ({
    _id: `t${type}${number}${language}`,
    language,
    title: 'Condiciones',
    sha256: 'ab',
  })),
});
const legals = [
  version(1, 2, ['es'], true),
  version(1, 1, ['es', 'en'], false),
  version(2, 1, ['es'], true),
  version(3, 1, ['es'], true),
];
let server: ReturnType<typeof fakeServer>;

beforeAll(() => useTexts());
beforeEach(async () => {
  server = fakeServer();
  server.answers.legalbylanguage = () => Response.json({ legal: LEGAL.legal.slice(0, 1) });
  server.answers['legal-diff/t11es/t12es'] = () => Response.json({ diff });
  server.answers.legals = () => Response.json({ legals });
  server.answers.legal = () => Response.json({ legal: LEGAL.legal[0] }, { status: 201 });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
});
const open = () => showPage(LegalsPage, '/legals', '/legals');
const published = () => server.calls.filter(({ path }) => path === '/api/v1/legal').map(({ body }) => body);
const publish = async (title: string) => {
  fireEvent.click(screen.getByRole('button', { name: 'Publicar' }));
  fireEvent.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name: 'Publicar' }));
};

/** Writes markup instead of what it looks like. */
const asHtml = async () => {
  fireEvent.click(await screen.findByLabelText('HTML'));
  return screen.findByLabelText<HTMLTextAreaElement>('Texto', { selector: 'textarea' });
};

it('is written as companies will read it, without markup in sight', async () => {
  const commands: unknown[][] = [];
  document.execCommand = (...given) => commands.push(given) > 0;
  open();
  await screen.findByRole('list', { name: 'Versiones' });
  press('Nueva versión');
  const words = await screen.findByRole('textbox', { name: 'Texto' });
  within(words).getByRole('heading', { name: 'Objeto' });
  expect(words.textContent).toBe('ObjetoTexto general.');
  expect(words.innerHTML).not.toMatch(/script|onclick/);
  press('Lista');
  expect(commands).toContainEqual(['insertUnorderedList', false, undefined]);
  words.innerHTML = '<h2>Objeto</h2><div style="color:red">Texto <b>nuestro</b>.</div><ul><li>Uno</li></ul>';
  fireEvent.input(words);
  expect(await seriousFindings()).toEqual([]);
  await publish('¿Publicar la versión nueva?');
  await screen.findByText('Texto publicado');
  expect(published()).toMatchObject([
    { html: '<h2>Objeto</h2><p>Texto <strong>nuestro</strong>.</p><ul><li>Uno</li></ul>' },
  ]);
});

it('cleans what browsers put into a text, and keeps its structure', () => {
  expect(
    legalMarkup(
      '<details><summary>Más</summary><p class="x">a <span style="color:red">b</span></p></details>' +
        '<img src=x onerror="x()"><a href="javascript:x()" onclick="x()">malo</a> <a href="https://a.es" target="_top">bueno</a>',
    ),
  ).toBe('<details><summary>Más</summary><p>a b</p></details><a>malo</a> <a href="https://a.es">bueno</a>');
});

it('shows the versions of a kind, the words of one, and what changed', async () => {
  open();
  const list = within(await screen.findByRole('list', { name: 'Versiones' }));
  expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Versión 2En vigor1 feb 2026 · Español · 20 empresas la han aceptado',
    'Versión 1Anterior1 ene 2026 · Español, English · 10 empresas la han aceptado',
  ]);
  await screen.findByRole('heading', { name: 'Objeto' });
  expect(document.body.innerHTML).not.toMatch(/alert\(1\)/);
  fireEvent.click(screen.getByLabelText('Cambios desde la 1'));
  await screen.findByText('Un párrafo nuevo.');
  expect(await seriousFindings()).toEqual([]);
  fireEvent.click(screen.getByLabelText('Aviso al cliente'));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Nueva versión' })).toBeNull());
});

it('publishes a new version that begins as the last one', async () => {
  open();
  await screen.findByRole('list', { name: 'Versiones' });
  press('Nueva versión');
  const words = await asHtml();
  expect(words.value).toContain('<h2>Objeto</h2>');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Publicar' }).disabled).toBe(true);
  type('Texto', '');
  fireEvent.click(screen.getByRole('button', { name: 'Publicar' }));
  await screen.findByText('Escriba el texto');
  type('Texto', 'Primero & segundo.\n\nTercero.');
  type('En vigor desde', '2099-01-01');
  await publish('¿Publicar la versión nueva?');
  await screen.findByText('Texto publicado');
  expect(published()).toEqual([
    {
      type: 1,
      title: 'Condiciones generales',
      html: '<p>Primero &amp; segundo.</p>\n<p>Tercero.</p>',
      language: 'es',
      inForceFrom: '2098-12-31T23:00:00.000Z',
    },
  ]);
});

it('adds a language to a version', async () => {
  open();
  await screen.findByRole('list', { name: 'Versiones' });
  press('Añadir idioma');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'English' }));
  await screen.findByRole('heading', { name: 'Otro idioma de la versión 2' });
  await asHtml();
  type('Texto', '<p>Words</p>');
  await publish('¿Publicar este idioma?');
  await screen.findByText('Texto publicado');
  expect(published()).toMatchObject([{ type: 1, language: 'en', version: 2, html: '<p>Words</p>' }]);
});

it('keeps what was typed when the server refuses', async () => {
  server.answers.legal = () => problem(409, 'LEGAL_CHANGED');
  open();
  await screen.findByRole('list', { name: 'Versiones' });
  press('Nueva versión');
  await asHtml();
  type('Texto', 'Otro texto');
  await publish('¿Publicar la versión nueva?');
  await screen.findByText('No se ha podido publicar el texto');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Texto').value).toBe('Otro texto');
});

it('knows what is wrong with a text', () => {
  const values = { title: '', html: '<p> </p>', language: 'es', inForceFrom: '2026-11-01' };
  expect(problemsOf(values, '2026-11-22')).toEqual({ title: 'required', html: 'required', inForceFrom: 'past' });
  expect(problemsOf({ title: 'T'.repeat(151), html: 'x', language: 'es', inForceFrom: '' }, '2026-11-22')).toEqual({
    title: 'long',
  });
  expect(paragraphs('<p>a</p>')).toBe('<p>a</p>');
});
