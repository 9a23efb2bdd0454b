/**
 * Video-call requests: an operator on a phone at the car, two adjusters, one call. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openBrowser, openPage, openPhoneBrowser } from '../lib/browsers.mjs';
import { flows, KEEP_CONNECTIONS } from '../lib/media.mjs';
import { startServer } from '../lib/server.mjs';
import { acceptNotice, allowDevices, logIn, madridDay, session, until } from '../lib/steps.mjs';

const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;
const FIRM = 'Peritaciones Levante';
const errors = [];
let server, browser, phones, operator, ana, luis, parent;

before(async () => {
  await mkdir(SHOTS, { recursive: true });
  server = await startServer({ binary: process.env.ATALAYA_BIN });
  browser = await openBrowser();
  phones = await openPhoneBrowser();
  operator = await openPage(phones, 'operator', errors, { size: 'phone' });
  ana = await openPage(browser, 'ana', errors);
  luis = await openPage(browser, 'luis', errors);
  await operator.addInitScript(KEEP_CONNECTIONS);
  await logIn(ana, server.url, account('worker'));
  await logIn(luis, server.url, account('worker 2'));
  await logIn(operator, server.url, account('workshop operator'));
  parent = (await session(server.url, account('worker'))).user.parent;
  assert.ok(operator.url().endsWith('/videocall-request'), 'an operator begins where requests are made');
});

after(async () => {
  await browser?.close();
  await phones?.close();
  await server?.clean();
});

const account = (what) => server.accounts.find((one) => one.what === what);
const shot = (page, name) => page.screenshot({ path: `${SHOTS}requests-${name}.png` });
const queue = async (page) => {
  await page.goto(`${server.url}/active-videocall-request/${parent}`);
  await page.getByRole('heading', { name: 'Solicitudes de videollamada' }).waitFor();
  await page.getByText('En directo', { exact: true }).first().waitFor();
};
const row = (page) => page.getByRole('article', { name: 'Talleres Júcar' });
const answer = (page) => page.getByRole('button', { name: 'Atender a Talleres Júcar' });

/** The operator asks, from the form as it stands. */
async function ask(expedient) {
  const firm = operator.getByRole('radio', { name: new RegExp(FIRM) });
  await operator.getByLabel('N.º de expediente').waitFor();
  if ((await firm.count()) === 0) {
    await operator.getByLabel('Compañía de seguros').first().click();
    await operator.getByRole('option', { name: 'Mutua Albufera' }).click();
  }
  await firm.check();
  await operator.getByLabel('N.º de expediente').fill(expedient);
  await operator.getByRole('button', { name: 'Pedir videollamada' }).click();
}

// REQUEST-1, REQUEST-17
test('the form names what is missing and shows who is free', async () => {
  await operator.getByRole('button', { name: 'Pedir videollamada' }).click();
  await operator.getByText('Elija la compañía de seguros').waitFor();
  await operator.getByText('Escriba el número de expediente').waitFor();
  await operator.getByLabel('Compañía de seguros').first().click();
  await operator.getByRole('option', { name: 'Mutua Albufera' }).click();
  // Both adjusters have the app open: their socket counts as presence.
  await operator.getByText('Contesta alguien ahora').waitFor();
  await shot(operator, 'form-phone');
  await checkAccessibility(operator, 'request form');
});

// REQUEST-5, REQUEST-19
test('a request rings for both adjusters, the first to answer gets the call, and both lists show it', async () => {
  await queue(ana);
  await ask('EXP-RING-1');
  await operator.getByRole('heading', { name: `Avisando a ${FIRM}` }).waitFor();
  await operator.getByText('Es la primera de la cola').waitFor();
  await shot(operator, 'waiting-phone');
  await checkAccessibility(operator, 'waiting for an answer');
  // Without a reload: the row for one, the counter for the other, who is on another page.
  await row(ana).getByText('EXP-RING-1').waitFor();
  await luis.getByRole('link', { name: 'Solicitudes de videollamada: 1 en espera' }).first().waitFor();
  await queue(luis);
  await answer(luis).waitFor();
  await shot(ana, 'queue-desktop');
  await checkAccessibility(ana, 'queue');

  // A reload keeps the wait.
  await operator.reload();
  await operator.getByRole('heading', { name: `Avisando a ${FIRM}` }).waitFor();

  // Both press at the same moment; a click that first scrolls and waits could find its row gone already.
  const buttons = await Promise.all([ana, luis].map((page) => answer(page).elementHandle()));
  await Promise.all(buttons.map((button) => button.evaluate((node) => node.click())));
  const room = /\/conference\/[0-9a-f-]{36}$/;
  await until(
    async () => [ana, luis].filter((page) => room.test(page.url())).length,
    (winners) => winners === 1,
  );
  const winner = room.test(ana.url()) ? ana : luis;
  const loser = winner === ana ? luis : ana;
  await loser.getByText(/Ya la atiende|Nadie espera/).first().waitFor();
  await row(loser).and(loser.getByRole('article').filter({ has: loser.getByRole('button') })).waitFor({ state: 'detached' });
  await loser.waitForTimeout(1_000);
  await shot(loser, 'lost-desktop');
  assert.ok(!room.test(loser.url()), 'only one of them is in the call');

  // The operator's page leads into the room by itself.
  await operator.waitForURL(/\/external\/[^?]+\?from=request$/);
  await acceptNotice(operator);
  await allowDevices(operator);
  await operator.getByRole('toolbar').waitFor();
  await flows(winner);
  await flows(operator);
  const id = winner.url().match(/conference\/(.+)$/)[1];

  await winner.getByRole('button', { name: 'Colgar' }).click();
  await winner.getByRole('button', { name: 'Terminar conferencia' }).click();
  await operator.getByText('La videoasistencia ha terminado').waitFor();
  await shot(operator, 'end-phone');
  await operator.getByRole('link', { name: 'Volver a solicitudes' }).click();
  await operator.getByLabel('N.º de expediente').waitFor();

  const firm = await session(server.url, account('customer'));
  const shop = await session(server.url, account('workshop'));
  for (const person of [firm, shop]) {
    const answered = await person.post(`conferences-autos-details/${person.user.parent}`, { begin: madridDay(), end: madridDay() });
    assert.ok(JSON.stringify(await answered.json()).includes(id), 'the conference is in the list');
  }
  await operator.goto(`${server.url}/conferences-autos/${shop.user.parent}`);
  await operator.getByText('EXP-RING-1').waitFor();
  await shot(operator, 'list-phone');
  assert.equal(await operator.getByRole('button', { name: 'Nueva videollamada' }).count(), 0);
});

// REQUEST-7
test('a request is withdrawn and leaves both screens', async () => {
  await queue(ana);
  await queue(luis);
  await operator.goto(`${server.url}/videocall-request`);
  await ask('EXP-WITHDRAW');
  await answer(ana).waitFor();
  await answer(luis).waitFor();
  await operator.getByRole('button', { name: 'Retirar la solicitud' }).click();
  await operator.getByRole('dialog').getByRole('button', { name: 'Retirar la solicitud' }).click();
  await operator.getByRole('button', { name: 'Pedir videollamada' }).waitFor();
  await answer(ana).waitFor({ state: 'detached' });
  await answer(luis).waitFor({ state: 'detached' });
  await ana.getByText('Retirada por quien la pidió').waitFor();
});

// REQUEST-8, REQUEST-12
test('a refusal passes the request on; the last refusal notifies the operator, who schedules a call-back', async () => {
  await ask('EXP-REFUSE');
  await answer(ana).waitFor();
  const refuse = async (page) => {
    await page.getByRole('button', { name: 'Más acciones: Talleres Júcar' }).click();
    await page.getByRole('menuitem', { name: 'Rechazar solo para mí' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rechazar' }).click();
  };
  await refuse(ana);
  await answer(ana).waitFor({ state: 'detached' });
  await answer(luis).waitFor();
  await operator.getByText('1 persona no puede atenderle').waitFor();
  await refuse(luis);
  await operator.getByRole('heading', { name: `${FIRM} no puede atenderle ahora` }).waitFor();
  await shot(operator, 'refused-phone');
  await operator.getByRole('button', { name: 'Que me llamen a una hora' }).click();
  await operator.getByRole('button', { name: /En una hora/ }).click();
  await operator.getByRole('button', { name: 'Concertar la llamada' }).click();
  await operator.getByRole('heading', { name: 'Llamadas concertadas' }).waitFor();
  await ana.getByRole('heading', { name: 'Llamadas concertadas' }).waitFor();
  await shot(operator, 'agreed-phone');
  await shot(ana, 'agreed-desktop');
  await operator.getByRole('button', { name: 'Anular', exact: true }).click();
  await operator.getByRole('dialog').getByRole('button', { name: 'Anular', exact: true }).click();
  await ana.getByRole('heading', { name: 'Llamadas concertadas' }).waitFor({ state: 'detached' });
});

// REQUEST-9
test('a blocked company can neither answer nor be asked', async () => {
  const admin = await session(server.url, account('administrator'));
  const { customer } = await (await admin.get(`customer/${parent}`)).json();
  const put = (change) =>
    fetch(`${server.url}/api/v1/customer`, {
      method: 'PUT',
      headers: { ...admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ customer: { ...customer, ...change } }),
    });
  const future = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();
  await operator.getByLabel('N.º de expediente').waitFor();
  assert.ok((await put({ pay_startAt: future })).ok);
  await ana.getByText('Mientras falte algo, ningún taller puede llamarle.').waitFor();
  await shot(ana, 'blocked-desktop');
  await operator.reload();
  await operator.getByText('Ningún gabinete trabaja ahora para esta compañía').waitFor();
  assert.ok((await put({ pay_startAt: customer.pay_startAt })).ok);
  await ana.getByText('Mientras falte algo, ningún taller puede llamarle.').waitFor({ state: 'detached' });
});

test('no page threw an error', () => assert.deepEqual(errors, []));
