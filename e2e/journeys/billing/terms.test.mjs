/**
 * Terms and prices: the administrator publishes a price table and a new text; the principal meets them after the
 * log-in, sees what changed, puts it off, declines, accepts; contract, history, and a table offered to one company.
 * Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn, session } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

const NEW_WORDS = 'La empresa puede pedir en cualquier momento una copia de su contrato.';
let browser, server, admin, customer;

const plain = (text) => text.replace(/\s+/g, ' ');
const tab = (scope, text) => scope.locator('label').filter({ hasText: text });
const pendingDialog = (page) => page.getByRole('dialog', { name: 'Han cambiado las condiciones del servicio' });

const { account, errors, shot } = world('terms', async (made) => {
  ({ server, browser } = made);
  admin = await session(server.url, account('administrator'));
  customer = await session(server.url, account('customer'));
});

async function as(what, options = {}) {
  const page = await openPage(browser, what, errors, options);
  await logIn(page, server.url, account(what));
  return page;
}

const pendingOf = async (who) => (await who.get('legal-pending')).json();

async function publish(page, button, title) {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

test('a principal who accepted everything sees no dialog', async () => {
  assert.deepEqual(await pendingOf(customer), { pending: [], price: null, declinedAt: null });
  const page = await as('customer');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.context().close();
});

test('the administrator tries a tariff and publishes a new version of it', async () => {
  const page = await as('administrator');
  await page.goto(`${server.url}/prices?tab=calculator`);
  await page.getByRole('button', { name: 'Cambio de tramo' }).click();
  const result = page.getByRole('region', { name: 'Resultado' });
  await result.getByText('Descuento por volumen').waitFor();
  // Example E4-tier-251 of vectors/pricing.json.
  assert.match(plain(await result.innerText()), /251 conexiones facturables.*1\.280,10 €.*268,82 €.*1\.548,92 €/);
  await checkAccessibility(page, 'calculator');
  await shot(page, 'calculator');

  await tab(page, 'Versiones').click();
  await page.getByRole('list', { name: 'Versiones' }).waitFor();
  await checkAccessibility(page, 'prices');
  await page.getByRole('button', { name: 'Nueva tarifa' }).click();
  await page.getByLabel('Conexión', { exact: true }).fill('6,50');
  await page.getByLabel('Descuento del tramo 2 en tanto por ciento').fill('0');
  await page.getByLabel('Descuento del tramo 1 en tanto por ciento').fill('1');
  await page.getByText('El descuento no puede ser menor que el del tramo anterior').waitFor();
  await page.getByRole('button', { name: 'Publicar tarifa' }).click();
  assert.equal(await page.getByRole('dialog').count(), 0, 'falling tiers are not even asked about');
  await page.getByLabel('Descuento del tramo 1 en tanto por ciento').fill('0');
  await page.getByLabel('Descuento del tramo 2 en tanto por ciento').fill('6,5');
  await checkAccessibility(page, 'new price table');
  await shot(page, 'new-price');
  await publish(page, 'Publicar tarifa', '¿Publicar la tarifa?');
  await page.getByText('Tarifa publicada').waitFor();
  const row = page.getByRole('row', { name: /^Conexión/ });
  await row.getByText('6,50').waitFor();
  assert.match(plain(await row.innerText()), /6,00 €.*6,50 €/);
  await shot(page, 'prices');
  await page.context().close();
});

test('the administrator publishes a new text, in two languages, and sees what changed', async () => {
  const page = await as('administrator');
  await page.goto(`${server.url}/legals`);
  await page.getByRole('list', { name: 'Versiones' }).waitFor();
  await page.getByRole('button', { name: 'Nueva versión' }).click();
  // Written as formatted text; editing its markup is another way.
  await page.getByRole('textbox', { name: 'Texto' }).getByRole('heading').first().waitFor();
  await tab(page, 'HTML').click();
  const words = page.getByRole('textbox', { name: 'Texto' });
  const before = await words.inputValue();
  assert.match(before, /<h2>|<h3>/);
  await words.fill(`${before}\n<p>${NEW_WORDS}</p><script>alert(1)</script>`);
  await page.getByRole('region', { name: 'Así se leerá' }).getByText(NEW_WORDS).waitFor();
  await checkAccessibility(page, 'new legal text');
  await publish(page, 'Publicar', '¿Publicar la versión nueva?');
  await page.getByText('Texto publicado').waitFor();
  await page.getByRole('heading', { name: 'Condiciones generales · Versión 2' }).waitFor();

  await page.getByRole('button', { name: 'Añadir idioma' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('textbox', { name: 'Título' }).fill('General terms');
  await tab(page, 'HTML').click();
  await page.getByRole('textbox', { name: 'Texto' }).fill('<h3>New terms</h3><p>Words.</p>');
  await publish(page, 'Publicar', '¿Publicar este idioma?');
  await page.getByText('Español, English').first().waitFor();

  await tab(page, 'Cambios desde la 1').click();
  await page.getByText(NEW_WORDS).waitFor();
  await checkAccessibility(page, 'legal texts');
  await shot(page, 'legals');
  const { legals } = await (await admin.get('legals')).json();
  const newest = legals.find(({ type, version }) => type === 1 && version === 2);
  assert.equal(newest.inForce, true);
  const text = newest.texts.find(({ language }) => language === 'es')._id;
  const { legal } = await (await fetch(`${server.url}/api/v1/legal-id/${text}`)).json();
  assert.doesNotMatch(legal[0].html, /script/, 'markup is cleaned before it is stored');
  await page.context().close();
});

test('the principal sees what changed, postpones it, and sees it again at the next log-in', async () => {
  const page = await as('customer', { size: 'phone', scheme: 'light' });
  const dialog = pendingDialog(page);
  await dialog.getByText(NEW_WORDS).waitFor();
  await checkAccessibility(page, 'new terms');
  await shot(page, 'pending-phone');
  await tab(dialog, 'Precios').click();
  await dialog.getByText('6,50').waitFor();
  await shot(page, 'pending-prices-phone');
  await dialog.getByRole('button', { name: 'Más tarde' }).click();
  await dialog.waitFor({ state: 'hidden' });
  // A reload is the same visit.
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/legal-pending'));
  await page.reload();
  await asked;
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  assert.equal(await dialog.count(), 0);
  await page.context().close();

  const again = await as('customer');
  await pendingDialog(again).getByText(NEW_WORDS).waitFor();
  await again.context().close();
});

test('declining explains its consequences first; nothing else changes', async () => {
  const page = await as('customer');
  await pendingDialog(page).getByRole('button', { name: 'No acepto' }).click();
  const dialog = page.getByRole('dialog', { name: 'Si no acepta las condiciones nuevas' });
  await checkAccessibility(page, 'declining');
  await shot(page, 'declining');
  await dialog.getByRole('button', { name: 'Confirmar que no acepto' }).click();
  await page.getByText('No ha aceptado las condiciones nuevas').waitFor();
  assert.ok((await pendingOf(customer)).declinedAt);
  const { customer: company } = await (await customer.get(`customer/${customer.user.parent}`)).json();
  assert.deepEqual([company.legal, company.blocked], [true, false]);
  await page.context().close();
});

test('the principal accepts on the company page; the history and the contract say so', async () => {
  const page = await as('customer');
  await page.goto(`${server.url}/customer/${customer.user.parent}/perfil`);
  // After declining no dialog asks again; the page says so.
  await page.getByText('Hay condiciones nuevas sin aceptar').waitFor();
  await page.getByRole('button', { name: 'Revisar' }).click();
  const dialog = pendingDialog(page);
  await dialog.getByText(NEW_WORDS).waitFor();
  await dialog.getByRole('button', { name: 'Acepto las condiciones' }).click();
  await page.getByText('Condiciones aceptadas', { exact: true }).first().waitFor();
  await page.getByText('Hay condiciones nuevas sin aceptar').waitFor({ state: 'hidden' });
  assert.deepEqual(await pendingOf(customer), { pending: [], price: null, declinedAt: null });

  const history = page.getByRole('complementary').getByRole('button', { name: /en vigor$/ });
  await history.first().click();
  const old = page.getByRole('dialog', { name: 'Condiciones del servicio' });
  await old.getByText(/Condiciones aceptadas el/).waitFor();
  await tab(old, 'Precios').click();
  await old.getByText('6,50').waitFor();
  await checkAccessibility(page, 'accepted terms');
  await shot(page, 'history');
  await old.getByRole('button', { name: 'Cerrar' }).last().click();
  await old.waitFor({ state: 'hidden' });

  const [answer] = await Promise.all([
    page.context().waitForEvent('response', (one) => one.url().includes('/api/v1/contract')),
    page.getByRole('button', { name: 'Contrato (PDF)' }).click(),
  ]);
  assert.deepEqual([answer.status(), answer.headers()['content-type']], [200, 'application/pdf']);
  const bytes = async () => Buffer.from(await (await customer.get('contract')).arrayBuffer());
  const [first, second] = [await bytes(), await bytes()];
  assert.equal(first.subarray(0, 5).toString(), '%PDF-');
  assert.ok(first.equals(second), 'the same bytes each time');
  await page.context().close();
});

test('a price table offered to one company is shown to no other', async () => {
  const { prices } = await (await admin.get('prices')).json();
  const { connection: _old, ...rest } = prices.find(({ inForce, companyId }) => inForce && !companyId);
  const offered = await admin.post('price', {
    ...Object.fromEntries(
      ['otherConnections', 'minuteLimit', 'exceededMinute', 'guestMinute', 'minPayment', 'discounts'].map((key) => [key, rest[key]]),
    ),
    connection: 4.95,
    companyId: customer.user.parent,
  });
  assert.equal(offered.status, 201, await offered.clone().text());
  const { price } = await offered.json();
  const anonymous = await fetch(`${server.url}/api/v1/price-id/${price._id}`);
  assert.equal(anonymous.status, 404);
  const page = await as('customer');
  const dialog = pendingDialog(page);
  await dialog.getByText('4,95').waitFor();
  assert.match(plain(await dialog.getByRole('row', { name: /^Conexión/ }).innerText()), /6,50 €.*4,95 €/);
  await dialog.getByRole('button', { name: 'Acepto las condiciones' }).click();
  await page.getByText('Condiciones aceptadas').waitFor();
  await page.context().close();
  const admins = await as('administrator');
  await admins.goto(`${server.url}/prices`);
  await admins.getByText(/^Solo para .* 1 empresa la ha aceptado$/).first().waitFor();
  await admins.context().close();
});

test('no page threw an error', () => assert.deepEqual(errors, []));
