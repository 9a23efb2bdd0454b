/**
 * Fiscal identity: the principal's form changes nothing by itself; a document, the administrator's comparison, a refusal
 * with its reason, an approval; another tax id waits for mandate and terms; the administrator changes at once.
 * Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { cif, logIn, madridDay, session, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const file = { name: 'certificado.pdf', mimeType: 'application/pdf', buffer: PDF };

let browser, server, admin, customer, company;

const { account, errors, shot } = world('identity', async (made) => {
  ({ server, browser } = made);
  admin = await session(server.url, account('administrator'));
  customer = await session(server.url, account('customer'));
  company = customer.user.parent;
});

async function as(what, path, options = {}) {
  const page = await openPage(browser, what, errors, options);
  await logIn(page, server.url, account(what));
  await page.goto(server.url + path);
  return page;
}

const identity = async (who) => (await (await who.get(`fiscal-identity/${company}`)).json()).fiscalIdentity;
const stored = async () => (await (await customer.get(`customer/${company}`)).json()).customer;

test('the form of the company changes no fiscal data and says what is missing', async () => {
  const before = await stored();
  const page = await as('customer', `/customer/${company}/perfil`);
  await page.getByLabel('Código postal').fill('51001');
  await page.getByLabel('Población').fill('Ceuta');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await page.getByText('Cambio pendiente').first().waitFor();
  const after = await stored();
  assert.deepEqual([after.postalCode, after.city], [before.postalCode, before.city]);
  assert.ok(after.fiscalRequest);
  await page.goto(`${server.url}/customer/${company}/fiscal`);
  await page.getByRole('heading', { name: 'Datos fiscales', level: 1 }).waitFor();
  await page.getByText('Falta el documento').first().waitFor();
  await checkAccessibility(page, 'fiscal data with a request');
  await shot(page, 'needs-document');
  await page.getByTestId('fiscal-attach').setInputFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
  await page.getByText('No se ha podido hacer').waitFor();
  await page.getByTestId('fiscal-attach').setInputFiles(file);
  await page.getByText('Documento adjuntado').waitFor();
  await page.getByRole('button', { name: 'Ver el documento' }).waitFor();
  await page.context().close();
});

test('the administrator compares, and refuses with a reason that the company reads on a phone', async () => {
  const page = await as('administrator', '/fiscal-requests');
  const { company: name } = await stored();
  await page.getByRole('heading', { name: 'Cambios fiscales', level: 1 }).waitFor();
  await checkAccessibility(page, 'requests');
  await shot(page, 'requests');
  await page.getByRole('link', { name }).click();
  await page.getByRole('row', { name: /Código postal/ }).getByText('51001').waitFor();
  await page.getByText('No sujeta a IVA por el lugar').first().waitFor();
  await checkAccessibility(page, 'a request');
  await shot(page, 'request');
  await page.getByRole('button', { name: 'Rechazar' }).click();
  await page.getByRole('button', { name: 'Rechazar' }).click();
  assert.equal((await identity(admin)).openRequest.status, 'open', 'a reason is needed');
  await page.getByLabel('Motivo del rechazo').fill('El certificado es de otra empresa');
  await page.getByRole('button', { name: 'Rechazar' }).click();
  await page.getByText('Solicitud rechazada').first().waitFor();
  await page.context().close();

  const phone = await as('customer', `/customer/${company}/fiscal`, { size: 'phone', scheme: 'light' });
  await phone.getByText('El certificado es de otra empresa').waitFor();
  await checkAccessibility(phone, 'fiscal data on a phone');
  await shot(phone, 'refused-phone');
  await phone.context().close();
});

test('a request with its document is approved, and another tax id waits for mandate and terms', async () => {
  const next = cif('5881850');
  const page = await as('customer', `/customer/${company}/fiscal`, { size: 'phone' });
  await page.getByRole('button', { name: 'Pedir un cambio' }).click();
  await page.getByLabel('NIF/CIF').fill(next);
  await page.getByText(/Con otro NIF, la orden de domiciliación/).waitFor();
  await page.getByRole('button', { name: 'Enviar la solicitud' }).click();
  await page.getByText('Adjunte el documento que acredita el cambio.').waitFor();
  await page.getByTestId('fiscal-document').setInputFiles(file);
  await checkAccessibility(page, 'form of a change');
  await shot(page, 'form-phone');
  await page.getByRole('button', { name: 'Enviar la solicitud' }).click();
  await page.getByText('Solicitud enviada').waitFor();
  await page.context().close();

  const { openRequest } = await identity(admin);
  assert.equal(openRequest.anotherTaxpayer, true);
  const boss = await as('administrator', `/fiscal-requests/${openRequest._id}`);
  await boss.getByText(/Con otro NIF, la orden de domiciliación/).waitFor();
  await boss.getByRole('button', { name: 'Aprobar' }).click();
  await boss.getByText('Cambio aprobado').first().waitFor();
  await boss.context().close();

  const after = await stored();
  assert.deepEqual([after.cif, after.legal, after.missing.includes('legal')], [next, false, true]);
  const { mandates } = await (await customer.get('mandates')).json();
  assert.ok(
    mandates.every(({ status }) => status !== 'active'),
    'no mandate is in force',
  );
  const { outbox } = await until(
    async () => (await admin.get(`outbox?channel=email&to=${encodeURIComponent(after.email)}`)).json(),
    (answer) => answer.outbox.some(({ subject }) => subject === 'Sus datos fiscales han cambiado'),
  );
  assert.ok(outbox.some(({ subject }) => subject.startsWith('Hemos recibido su solicitud')));
});

test('the administrator changes at once, with a day and a reason, and the history says so', async () => {
  const page = await as('administrator', `/customer/${company}/fiscal`);
  await page.getByRole('button', { name: 'Cambiar los datos' }).click();
  await page.getByLabel('Dirección').fill('Calle Nueva, 3');
  await page.getByLabel('Motivo').fill('Traslado de la sede');
  await page.getByRole('button', { name: 'Aplicar el cambio' }).click();
  await page.getByText('Datos fiscales cambiados').waitFor();
  const { versions } = await identity(admin);
  assert.deepEqual(
    [versions[0].validFrom, versions[0].block.address, versions[0].reason],
    [madridDay(), 'Calle Nueva, 3', 'Traslado de la sede'],
  );
  await page.getByText(/^Desde el/).first().click();
  await page.getByText('Traslado de la sede').waitFor();
  await checkAccessibility(page, 'history of fiscal data');
  await shot(page, 'history');
  await page.context().close();
});
