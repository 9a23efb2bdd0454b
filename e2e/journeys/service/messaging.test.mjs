/** The delivery of messages, and what a customer's SMS say. Needs ATALAYA_BIN. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { linkFromOutbox, logIn, openConference, session } from '../lib/steps.mjs';
import { SHOTS, world } from '../lib/world.mjs';

const PHONE = '+34600555777';
let browser, server, admin, customer, pages;

const { account, errors } = world('messaging', async (made) => {
  ({ server, browser } = made);
  [admin, customer] = await Promise.all([
    session(server.url, account('administrator')),
    session(server.url, account('customer')),
  ]);
  pages = {
    admin: await openPage(browser, 'admin', errors),
    customer: await openPage(browser, 'customer', errors),
  };
  await logIn(pages.admin, server.url, account('administrator'));
  await logIn(pages.customer, server.url, account('customer'));
});

const stateOf = async (to) => {
  const { outbox } = await (await admin.get(`outbox?channel=sms&to=${encodeURIComponent(to)}&limit=1`)).json();
  return outbox[0];
};

test('an administrator stops the delivery and starts it again', async () => {
  const page = pages.admin;
  await page.goto(`${server.url}/message-service`);
  await page.getByText('En marcha', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Detener el envío' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Detener el envío' }).click();
  await page.getByText('Detenido', { exact: true }).waitFor();
  await checkAccessibility(page, 'message service, stopped');
  await page.screenshot({ path: `${SHOTS}message-service.png`, fullPage: true });

  await openConference(pages.customer, server.url, { expedient: 'SMS-1', phone: '600 555 777' });

  // Without a provider it is captured and stays so, whether the delivery runs or not.
  assert.equal((await stateOf(PHONE)).state, 'captured');
  await page.getByRole('button', { name: 'Iniciar el envío' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Iniciar el envío' }).click();
  await page.getByText('Envío iniciado').waitFor();
  const { running, changedBy } = await (await admin.get('own-message-service/status')).json();
  assert.deepEqual([running, Boolean(changedBy)], [true, true]);
  await page.goto(`${server.url}/message-service?tab=messages`);
  await page.getByText(PHONE).waitFor();
});

test('templates are shown with sample data', async () => {
  const page = pages.admin;
  await page.goto(`${server.url}/message-service?tab=templates`);
  await page.locator('iframe').first().waitFor();
  await checkAccessibility(page, 'wordings');
});

test('a customer writes its SMS: too long a text is refused, and a saved one is sent to clients', async () => {
  const page = pages.customer;
  await page.goto(`${server.url}/sms-client-conference/${customer.user._id}`);
  const text = page.getByRole('textbox', { name: 'Texto del SMS' });
  await text.fill('x'.repeat(101));
  await page.getByText(/^101\/100/).waitFor();
  await page.getByRole('button', { name: 'Guardar el texto' }).click();
  await page.getByText('El texto puede tener 100 caracteres como máximo').waitFor();
  await text.fill('Conexión con su perito:');
  await page.getByTestId('sms-bubble').getByText('Conexion con su perito:').waitFor();
  await page.getByRole('button', { name: 'Guardar el texto' }).click();
  await page.getByText('Texto guardado').waitFor();
  await checkAccessibility(page, 'conference SMS');
  const stored = await (await customer.get(`sms-conference-client/${customer.user._id}`)).json();
  assert.deepEqual([stored.sms, stored.own, stored.accents], ['Conexión con su perito:', true, true]);

  await openConference(page, server.url, { expedient: 'SMS-2', phone: '600 555 778' });
  const sent = await linkFromOutbox(admin, '+34600555778');
  assert.equal(sent.text, `Conexion con su perito: ${sent.link}`);
});

test('a sender name is refused, entered, applied for and registered', async () => {
  const page = pages.customer;
  await page.goto(`${server.url}/sms-client-conference/${customer.user._id}`);
  const name = page.getByLabel('Nombre del remitente');
  const save = page.getByRole('button', { name: 'Guardar el remitente' });
  await name.fill('AB');
  await save.click();
  await page.getByText('Escriba al menos 3 caracteres').waitFor();
  // Only the server knows the names that are too generic.
  await name.fill('Info');
  await save.click();
  await page.getByText(/demasiado general/).waitFor();
  await name.fill('Peritos-1');
  await save.click();
  await page.getByText('Sin solicitar', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Ya lo he solicitado' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ya lo he solicitado' }).click();
  await page.getByText('Solicitado', { exact: true }).waitFor();

  const office = pages.admin;
  await office.goto(`${server.url}/sms-client-conference/${customer.user._id}`);
  await office.getByRole('heading', { name: 'Inscripción en el Registro' }).waitFor();
  await office.locator('form').last().getByLabel('Estado').first().click();
  await office.getByRole('option', { name: 'Inscrito' }).click();
  await office.getByRole('button', { name: 'Guardar la inscripción' }).click();
  await office.getByText('Los SMS salen con este nombre.').waitFor();
  await page.reload();
  await page.getByText('De: Peritos-1').waitFor();
});

test('no page threw an error', () => assert.deepEqual(errors, []));
