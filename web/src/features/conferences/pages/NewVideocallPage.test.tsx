import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { languageName } from '@/shared/i18n/languages';
import { session } from '@/shared/session';
import { fakeServer, press, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { waitingDetails } from '@/test/waiting';
import { NewVideocallPage } from './NewVideocallPage';

beforeAll(() => useTexts());

const DEFAULTS = {
  sms: 'Ana Ruiz (Levante). Pulse el enlace:',
  own: false,
  language: 'es',
  accents: true,
  defaults: { es: 'Ana Ruiz (Levante). Pulse el enlace:', en: 'Ana Ruiz (Levante). Tap the link:' },
};
const preview = () => screen.getByRole('complementary', { name: 'Lo que verá el cliente' });

let server: ReturnType<typeof fakeServer>;

beforeEach(async () => {
  // What was typed belongs to a session.
  session.end('logout');
  window.localStorage.clear();
  await session.save(tokenWith({ role: 3, exp: Math.floor(Date.now() / 1000) + 3_600 }), { ...nuria, role: 3 }, []);
  server = fakeServer();
  server.answers['sms-conference-client/u1'] = () =>
    Response.json({ ...DEFAULTS, sms: 'Peritaciones Levante:', own: true });
  server.answers.getToken = () => Response.json({ conference: waitingDetails().conference });
});

const show = (query = '') => showPage(NewVideocallPage, '/vp-form', `/vp-form${query}`);
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Texto del SMS');
const sent = () => server.to('getToken')[0]?.body;

describe('the text of the SMS', () => {
  it('begins as the company’s own, and the server is left to use it', async () => {
    show();
    await waitFor(() => expect(text().value).toBe('Peritaciones Levante:'));
    type(/expediente/i, '2026-1');
    type(/Móvil/, '612 034 578');
    press('Enviar SMS');
    await waitFor(() => expect(sent()).toBeTruthy());
    expect(sent()).not.toHaveProperty('smsText');
  });

  // SMS-4
  it('says that the company’s own is not in the client’s language, until another is written', async () => {
    show();
    await waitFor(() => expect(text().value).toBe('Peritaciones Levante:'));
    const said = /no está en este idioma/;
    expect(screen.queryByText(said)).toBeNull();
    fireEvent.click(screen.getByRole('combobox', { name: 'Idioma del cliente' }));
    fireEvent.click(await screen.findByRole('option', { name: 'العربية' }));
    await screen.findByText(said);
    expect(text().value).toBe('Peritaciones Levante:');
    type('Texto del SMS', 'مرحبًا:');
    await waitFor(() => expect(screen.queryByText(said)).toBeNull());
    type(/expediente/i, '2026-1');
    type(/Móvil/, '612 034 578');
    press('Enviar SMS');
    await waitFor(() => expect(sent()).toMatchObject({ smsText: 'مرحبًا:', language: 'ar' }));
  });

  it('sends what somebody writes for this client', async () => {
    show();
    await waitFor(() => expect(text().value).toBe('Peritaciones Levante:'));
    type('Texto del SMS', 'Buenos días, Carmen:');
    type(/expediente/i, '2026-1');
    type(/Móvil/, '612 034 578');
    press('Enviar SMS');
    await waitFor(() => expect(sent()?.smsText).toBe('Buenos días, Carmen:'));
  });

  it('is what the server sends, as it sends it, where the company has none', async () => {
    server.answers['sms-conference-client/u1'] = () => Response.json(DEFAULTS);
    show();
    await waitFor(() => expect(text().value).toBe('Ana Ruiz (Levante). Pulse el enlace:'));
    expect(preview().textContent).toContain('Ana Ruiz (Levante). Pulse el enlace:');
    // The option to write accents plainly is on.
    type('Texto del SMS', 'Pólizas, sección vehículos:');
    await waitFor(() => expect(preview().textContent).toContain('Polizas, seccion vehiculos:'));
  });
});

// CASE-53
it('opens a call without a message, for a client who is there', async () => {
  show();
  await waitFor(() => expect(text().value).toBe('Peritaciones Levante:'));
  fireEvent.click(screen.getByRole('radio', { name: 'Sin enviar' }));
  expect(screen.queryByLabelText('Texto del SMS')).toBeNull();
  screen.getByText(/No se envía ningún mensaje/);
  type(/expediente/i, '2026-1');
  type(/Móvil/, '912 345 678');
  press('Abrir con QR y código');
  await waitFor(() => expect(sent()).toMatchObject({ channel: 'none', phoneNumber: '+34912345678' }));
  expect(sent()).not.toHaveProperty('smsText');
});

// CASE-50
it('offers the e-mail for a landline', async () => {
  show();
  await waitFor(() => expect(text().value).toBe('Peritaciones Levante:'));
  type(/Móvil/, '912 345 678');
  screen.getByText('A un teléfono fijo no llega ningún SMS.');
  press('Enviar por correo');
  await screen.findByLabelText(/Correo del cliente|Correo/, { selector: 'input[type=email]' });
  expect(screen.queryByText('A un teléfono fijo no llega ningún SMS.')).toBeNull();
});

// LANG-7
describe('the language of the client', () => {
  const select = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Idioma del cliente' });
  const choose = async (name: string) => {
    fireEvent.click(select());
    fireEvent.click(await screen.findByRole('option', { name }));
  };

  it('is one of those that the server knows', async () => {
    const reference = resolve(import.meta.dirname, '../../../../../docs/reference/openapi.json');
    const known: string[] = JSON.parse(readFileSync(reference, 'utf8')).components.schemas.ClientLanguage.enum;
    show();
    await waitFor(() => expect(text().value).not.toBe(''));
    fireEvent.click(select());
    await screen.findByRole('option', { name: 'العربية' });
    const offered = screen.getAllByRole('option').map(({ textContent }) => textContent ?? '');
    expect(offered).toEqual(known.map(languageName));
    expect(offered).toHaveLength(11);
  });

  it('changes a text that nobody changed, and is sent', async () => {
    server.answers['sms-conference-client/u1'] = () => Response.json(DEFAULTS);
    show();
    await waitFor(() => expect(text().value).toBe(DEFAULTS.defaults.es));
    await choose('English');
    expect(text().value).toBe(DEFAULTS.defaults.en);
    type(/expediente/i, '2026-1');
    type(/Móvil/, '612 034 578');
    press('Enviar SMS');
    await waitFor(() => expect(sent()?.language).toBe('en'));
    expect(sent()).not.toHaveProperty('smsText');
  });

  it('keeps what somebody wrote', async () => {
    server.answers['sms-conference-client/u1'] = () => Response.json(DEFAULTS);
    show();
    await waitFor(() => expect(text().value).toBe(DEFAULTS.defaults.es));
    type('Texto del SMS', 'Buenos días, Carmen:');
    await choose('English');
    expect(text().value).toBe('Buenos días, Carmen:');
  });
});

it('takes what is known of the case that its page leads here for', async () => {
  const before = { ...waitingDetails().conference, phoneNumber: '+34600111222', carId: '1234BCD' };
  server.answers['expedient/2026-118392'] = () =>
    Response.json({ expedientNumber: '2026-118392', conferences: [before] });
  show('?case=2026-118392&type=1');
  expect((await screen.findByLabelText<HTMLInputElement>(/expediente/i)).value).toBe('2026-118392');
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/Matrícula/).value).toBe('1234BCD'));
  expect(screen.getByLabelText<HTMLInputElement>(/Móvil/).value.replace(/\s/g, '')).toContain('600111222');
});

it('opens for a case of Diversos as such', async () => {
  show('?case=777&type=2');
  expect((await screen.findByLabelText<HTMLInputElement>(/expediente/i)).value).toBe('777');
  expect(screen.queryByLabelText(/Matrícula/)).toBeNull();
});

describe('a case that is known', () => {
  const before = {
    ...waitingDetails().conference,
    phoneNumber: '+34600111222',
    carId: '1234BCD',
    postalCode: '28013',
    city: 'Madrid',
  };

  it('says how many conferences it had, and offers their data for what is empty', async () => {
    server.answers['expedient/2026-118392'] = () => Response.json({ conferences: [before] });
    show();
    await screen.findByLabelText(/Persona de contacto/);
    type(/Persona de contacto/, 'Otra persona');
    type(/expediente/i, '2026-118392');
    await screen.findByText('1 conferencia anterior de este expediente');
    press('Usar sus datos');
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/Matrícula/).value).toBe('1234BCD'));
    expect(screen.getByLabelText<HTMLInputElement>(/Persona de contacto/).value).toBe('Otra persona');
  });

  // CASE-18
  it('is the whole number, blanks apart, however many contain it, and counts every conference that is not erased', async () => {
    const called = (n: number) => ({ ...before, _id: `conf${n}`, expedientNumber: 'EXP 7', erased: n > 25 });
    const conferences = Array.from({ length: 27 }, (_, n) => called(n));
    const containing = Array.from({ length: 12 }, (_, n) => ({ ...before, expedientNumber: `EXP7-${n}` }));
    server.answers['conferences-'] = () => Response.json({ conferences: containing, total: 12, nextCursor: null });
    server.answers['expedient/EXP7'] = () => Response.json({ expedientNumber: 'EXP 7', conferences });
    show();
    await screen.findByLabelText(/Persona de contacto/);
    type(/expediente/i, 'EXP7');
    await screen.findByText('26 conferencias anteriores de este expediente');
    expect(screen.getByRole('link', { name: 'Ver el expediente' }).getAttribute('href')).toBe('/expedient/EXP%207');
  });

  it('names the province of a postal code while that field is empty', async () => {
    show();
    await screen.findByLabelText(/Código postal/);
    const leave = () => fireEvent.blur(screen.getByLabelText(/Código postal/));
    type(/Código postal/, '08001');
    leave();
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Provincia/).value).toBe('Barcelona'));
    type(/^Provincia/, 'Girona');
    type(/Código postal/, '28013');
    leave();
    expect(screen.getByLabelText<HTMLInputElement>(/^Provincia/).value).toBe('Girona');
  });
});
