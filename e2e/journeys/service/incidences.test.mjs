/**
 * Incidences: a worker sends one about a conference and a general one, with images dropped, pasted and chosen; what is
 * missing, what cannot be sent and what is offered again; support adds to one; the administrator reads the diagnostics,
 * answers, notes and archives; its author reopens it. Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn, openConference, session, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

const EXPEDIENT = 'INC-2026-0007';
const REGISTERED = 'Incidencia registrada. Revise también su carpeta de correo no deseado.';
let server, browser, worker, admin, mine, desk, picture, number;

const { account, errors, shot } = world('incidences', async (made) => {
  ({ server, browser } = made);
  mine = await session(server.url, account('worker'));
  desk = await session(server.url, account('administrator'));
  worker = await openPage(browser, 'worker', errors);
  admin = await openPage(browser, 'administrator', errors);
  await logIn(worker, server.url, account('worker'));
  await logIn(admin, server.url, account('administrator'));
  await openConference(worker, server.url, { expedient: EXPEDIENT });
  await worker.goto(`${server.url}/conferences-autos/${mine.user.parent}`);
  await worker.getByText(EXPEDIENT).first().waitFor();
  picture = [...(await worker.screenshot({ clip: { x: 0, y: 0, width: 640, height: 400 } }))];
});

const form = (page) => page.getByRole('dialog', { name: 'Nueva incidencia' });
const alert = (page, title) => page.getByRole('dialog', { name: title });
const choose = async (page, label, option) => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).first().click();
};

/** A file as a person drops or pastes it. */
const transfer = (page, { name, type = 'image/png', bytes = picture }) =>
  page.evaluateHandle(
    ({ name, type, bytes }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name, { type }));
      return data;
    },
    { name, type, bytes },
  );
async function drop(page, file) {
  const dataTransfer = await transfer(page, file);
  await page.getByRole('group', { name: /Adjuntar imágenes/ }).dispatchEvent('drop', { dataTransfer });
}
async function paste(page, file) {
  const data = await transfer(page, file);
  await page.evaluate((clipboardData) => document.activeElement.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData })), data);
}
/** The images of the form, each with its button. */
const thumbs = (page) => form(page).getByRole('button', { name: /^Quitar/ });
const openRowMenu = async (page) => {
  await page.getByRole('button', { name: `Más acciones: ${EXPEDIENT}` }).click();
  await page.getByRole('menuitem', { name: 'Abrir incidencia' }).click();
  await form(page).waitFor();
};

test('missing fields are reported, and nothing is sent', async () => {
  let sent = 0;
  worker.on('request', (request) => {
    if (request.url().endsWith('/send-incidence')) sent += 1;
  });
  await worker.getByRole('button', { name: 'Abrir incidencia' }).click();
  await form(worker).getByRole('button', { name: 'Enviar incidencia' }).click();
  await form(worker).getByRole('alert').filter({ hasText: 'Rellene los campos obligatorios' }).waitFor();
  for (const missing of ['Elija el tipo', 'Elija el motivo', 'Escriba qué ha pasado']) {
    assert.equal(await form(worker).getByText(missing, { exact: true }).count(), 1, missing);
  }
  await shot(worker, 'missing-dark');
  await checkAccessibility(worker, 'the incidence form');
  // Only conferences of the last seven days are offered, and only for type 1.
  assert.equal(await worker.getByRole('combobox', { name: 'Conferencia', exact: true }).count(), 0);
  await form(worker).getByRole('radio', { name: 'Conferencia' }).check();
  await choose(worker, 'Conferencia', new RegExp(EXPEDIENT));
  await form(worker).getByRole('button', { name: 'Cerrar' }).click();
  await form(worker).waitFor({ state: 'detached' });
  assert.equal(sent, 0);
});

test('images are dropped, pasted and chosen; unsuitable ones are reported', async () => {
  await openRowMenu(worker);
  assert.match(await worker.getByRole('combobox', { name: 'Conferencia', exact: true }).inputValue(), new RegExp(EXPEDIENT));
  await drop(worker, { name: 'soltada.png' });
  await form(worker).getByRole('img', { name: 'soltada.png' }).waitFor();
  await form(worker).getByRole('textbox', { name: 'Comentarios' }).focus();
  await paste(worker, { name: 'pegada.png' });
  await form(worker).getByRole('img', { name: 'pegada.png' }).waitFor();
  const files = form(worker).locator('input[type=file]:not([capture])');
  await files.setInputFiles({ name: 'elegida.png', mimeType: 'image/png', buffer: Buffer.from(picture) });
  await form(worker).getByRole('img', { name: 'elegida.png' }).waitFor();
  await drop(worker, { name: 'informe.pdf', type: 'application/pdf', bytes: [37, 80, 68, 70] });
  await form(worker).getByText('Solo se admiten imágenes PNG, JPEG o WebP.').waitFor();
  const four = [1, 2, 3, 4].map((n) => ({ name: `m${n}.png`, mimeType: 'image/png', buffer: Buffer.from(picture) }));
  await files.setInputFiles(four);
  await form(worker).getByText('Se pueden adjuntar 5 imágenes como máximo.').waitFor();
  await until(() => thumbs(worker).count(), (count) => count === 5);
  for (const name of ['m1.png', 'm2.png']) await form(worker).getByRole('button', { name: `Quitar ${name}` }).click();
  await choose(worker, 'Motivo', 'Vídeo');
  await form(worker).getByRole('textbox', { name: 'Comentarios' }).fill('La imagen del cliente se congela.');
  await shot(worker, 'form-dark');
});

test('after a failed submission the modal closes with an alert, and offers text and images again', async () => {
  await worker.route('**/api/v1/send-incidence', (route) => route.abort());
  await form(worker).getByRole('button', { name: 'Enviar incidencia' }).click();
  await alert(worker, 'No se ha podido enviar la incidencia').waitFor();
  await form(worker).waitFor({ state: 'detached' });
  await shot(worker, 'send-error-dark');
  await alert(worker, 'No se ha podido enviar la incidencia').getByRole('button', { name: 'Aceptar' }).click();
  await worker.unroute('**/api/v1/send-incidence');
  await openRowMenu(worker);
  await form(worker).getByText('Tiene un borrador sin enviar').waitFor();
  await shot(worker, 'draft-dark');
  await form(worker).getByRole('button', { name: 'Recuperar' }).click();
  assert.equal(await form(worker).getByRole('textbox', { name: 'Comentarios' }).inputValue(), 'La imagen del cliente se congela.');
  assert.equal(await thumbs(worker).count(), 3);
  await form(worker).getByRole('button', { name: 'Enviar incidencia' }).click();
  await worker.getByText(REGISTERED).waitFor();
  await form(worker).waitFor({ state: 'detached' });
  await shot(worker, 'registered-dark');
  number = await worker.getByRole('dialog').getByRole('heading').textContent();
  await worker.getByRole('button', { name: 'Aceptar' }).click();
  const { outbox } = await (await desk.get('outbox?channel=email&limit=10')).json();
  assert.ok(outbox.filter((one) => one.text.includes(number)).length >= 2, 'its author and the administrators are written to');
});

test('a general incidence is sent from the list, which reloads', async () => {
  await worker.getByRole('link', { name: 'Incidencias' }).click();
  await worker.waitForURL(`**/incidences/${mine.user._id}`);
  await worker.getByRole('row').filter({ hasText: number }).waitFor();
  await worker.getByRole('button', { name: 'Nueva incidencia' }).click();
  await form(worker).getByRole('radio', { name: 'General' }).check();
  await choose(worker, 'Motivo', 'Otros');
  await form(worker).getByRole('textbox', { name: 'Comentarios' }).fill('No encuentro la lista de fotos.');
  await form(worker).getByRole('button', { name: 'Enviar incidencia' }).click();
  await worker.getByText(REGISTERED).waitFor();
  await worker.getByRole('button', { name: 'Aceptar' }).click();
  await worker.getByRole('row').filter({ hasText: 'No encuentro la lista de fotos.' }).waitFor();
  await shot(worker, 'list-worker-dark');
});

test('support adds to an existing incidence, with reason and comments hidden', async () => {
  await worker.getByRole('banner').getByRole('button', { name: /^Cuenta/ }).click();
  await worker.getByRole('menuitem', { name: 'Soporte' }).click();
  const support = worker.getByRole('dialog', { name: 'Soporte' });
  await support.waitFor();
  assert.equal(await support.getByLabel('Motivo').count(), 0);
  assert.equal(await support.getByLabel('Comentarios').count(), 0);
  await support.getByRole('button', { name: 'Enviar respuesta' }).click();
  await support.getByText('Rellene los campos obligatorios').waitFor();
  await choose(worker, 'Incidencia', new RegExp(number));
  await support.getByRole('textbox', { name: 'Su respuesta' }).fill('También ocurre con el móvil del perito.');
  await drop(worker, { name: 'movil.png' });
  await shot(worker, 'support-dark');
  await support.getByRole('button', { name: 'Enviar respuesta' }).click();
  await alert(worker, 'Respuesta enviada').getByRole('button', { name: 'Aceptar' }).click();
  await support.waitFor({ state: 'detached' });
});

const panel = (page) => page.getByRole('dialog', { name: 'Incidencia', exact: true });

test('the administrator reads an incidence, answers, adds a note and changes its status', async () => {
  await admin.goto(`${server.url}/incidences/${desk.user._id}`);
  await admin.getByRole('row').filter({ hasText: number }).waitFor();
  await shot(admin, 'list-admin-dark');
  await checkAccessibility(admin, 'the list of incidences');
  await admin.getByRole('row').filter({ hasText: number }).click();
  const one = panel(admin);
  await one.getByText('La imagen del cliente se congela.').waitFor();
  await one.getByText('También ocurre con el móvil del perito.').waitFor();
  const images = one.locator('img');
  await until(() => images.evaluateAll((all) => all.filter((img) => img.naturalWidth === 640).length), (n) => n === 4);
  await shot(admin, 'detail-admin-dark');
  await checkAccessibility(admin, 'an incidence');
  await one.getByRole('tab', { name: 'Diagnóstico' }).click();
  for (const text of ['Pasos del cliente', 'Mensaje enviado', 'Conexiones', 'Quien la envió', 'Pantalla', '1440×900'])
    await one.getByText(text, { exact: true }).first().waitFor();
  await shot(admin, 'diagnostics-dark');
  await one.getByRole('tab', { name: /Notas internas/ }).click();
  await one.getByRole('textbox', { name: 'Nota' }).fill('Parece la red del cliente.');
  await one.getByRole('button', { name: 'Guardar nota' }).click();
  await one.getByRole('list').getByText('Parece la red del cliente.').waitFor();
  await one.getByRole('button', { name: 'Pasar a revisión' }).click();
  await admin.getByText('Estado: En revisión').waitFor();
  await one.getByRole('tab', { name: 'Conversación' }).click();
  await one.getByRole('textbox', { name: 'Respuesta' }).fill('Hemos cambiado el servidor de vídeo. ¿Sigue ocurriendo?');
  await one.getByRole('button', { name: 'Enviar respuesta' }).click();
  await one.getByRole('list').getByText('Hemos cambiado el servidor de vídeo. ¿Sigue ocurriendo?').waitFor();
  await one.getByRole('button', { name: 'Archivar' }).click();
  await alert(admin, `¿Archivar ${number}?`).getByRole('button', { name: 'Archivar' }).click();
  await admin.getByText('Estado: Archivada').waitFor();
  await one.getByRole('tab', { name: 'Registro' }).click();
  await one.getByText('De «Sin atender» a «En revisión»').waitFor();
  await one.getByText('De «En revisión» a «Archivada»').waitFor();
  await shot(admin, 'log-dark');
});

test('its author is notified, reads the answer but no note, and reopens it with an answer', async () => {
  const notices = await (await mine.get('notifications/get-all?language=es')).json().catch(() => null);
  assert.ok(notices === null || JSON.stringify(notices).length > 0);
  await worker.goto(`${server.url}/incidences/${mine.user._id}`);
  await worker.getByRole('img', { name: 'Con novedades' }).first().waitFor();
  await worker.getByRole('row').filter({ hasText: number }).click();
  const one = panel(worker);
  await one.getByText('Hemos cambiado el servidor de vídeo. ¿Sigue ocurriendo?').waitFor();
  assert.equal(await one.getByRole('tab', { name: /Notas/ }).count(), 0);
  assert.equal(await worker.getByText('Parece la red del cliente.').count(), 0);
  await one.getByRole('button', { name: 'Responder y reabrir' }).click();
  await one.getByText('Rellene los campos obligatorios').waitFor();
  await one.getByRole('textbox', { name: 'Su respuesta' }).fill('Sí, hoy otra vez.');
  await shot(worker, 'reopen-dark');
  await one.getByRole('button', { name: 'Responder y reabrir' }).click();
  await worker.getByText('Incidencia reabierta').waitFor();
  await one.getByText('Reabierta', { exact: true }).first().waitFor();
});

test('failures to load are shown: list, one incidence, conferences', async () => {
  const page = await openPage(browser, 'failing', []);
  await logIn(page, server.url, account('worker'));
  const fail = (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"INTERNAL"}' });
  await page.route('**/api/v1/incidences/**', fail);
  await page.route('**/api/v1/conferences-div-details/**', fail);
  await page.goto(`${server.url}/incidences/${mine.user._id}?incidence=00000000-0000-4000-8000-000000000000`);
  await panel(page).getByText('Error al buscar las incidencias').waitFor();
  await panel(page).getByRole('button', { name: 'Cerrar' }).click();
  await page.getByRole('alert').filter({ hasText: 'Error al buscar las incidencias' }).waitFor();
  await page.getByRole('button', { name: 'Nueva incidencia' }).first().click();
  await form(page).getByRole('radio', { name: 'Conferencia' }).check();
  await form(page).getByText('Error al buscar las conferencias').waitFor();
  await page.context().close();
});

for (const scheme of ['dark', 'light'])
  for (const size of ['desktop', 'phone'])
    test(`on a ${size} in ${scheme}`, async () => {
      const page = await openPage(browser, `${size} ${scheme}`, errors, { size, scheme });
      await logIn(page, server.url, account('administrator'));
      await page.evaluate((value) => localStorage.setItem('theme', value), scheme);
      await page.goto(`${server.url}/incidences/${desk.user._id}`);
      await page.getByText(number).first().waitFor();
      await shot(page, `list-${size}-${scheme}`);
      await page.getByText(number).first().click();
      await panel(page).getByText('La imagen del cliente se congela.').waitFor();
      await shot(page, `detail-${size}-${scheme}`);
      await panel(page).getByRole('tab', { name: 'Diagnóstico' }).click();
      await shot(page, `diagnostics-${size}-${scheme}`);
      await panel(page).getByRole('button', { name: 'Cerrar' }).click();
      await panel(page).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Nueva incidencia' }).first().click();
      await form(page).getByRole('radio', { name: 'Conferencia' }).check();
      await drop(page, { name: 'captura.png' });
      await shot(page, `form-${size}-${scheme}`);
      await checkAccessibility(page, `the form on a ${size} in ${scheme}`);
      await page.context().close();
    });
