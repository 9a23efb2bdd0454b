/**
 * A notice to many: the administrator writes it with html, a worker's bell shakes without a reload, the panel shows it
 * and does what it leads to; read and unread, failures and their way back, silence, withdrawal.
 * Needs ATALAYA_BIN. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn, session, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

const TEXT = 'El 24 de noviembre, de 2:00 a 3:00, el servicio estará en mantenimiento.';
const HTML = `<h2>Qué cambia</h2><p>De <b>2:00</b> a 3:00.</p><script>document.title='hacked'</script>
<img src=x onerror="document.title='hacked'"><a href="javascript:alert(1)">malo</a>`;
let server, browser, admin, worker, mine, theirs, before0;

const { account, errors, shot } = world('notifications', async (made) => {
  ({ server, browser } = made);
  mine = await session(server.url, account('worker'));
  theirs = await session(server.url, account('customer'));
  // Pastes hostile markup, whose handlers the policy refuses aloud.
  admin = await openPage(browser, 'administrator', errors, { breaks: true });
  worker = await openPage(browser, 'worker', errors);
  await worker.addInitScript(() => {
    // How often something was heard.
    window.sounds = 0;
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...given) {
      window.sounds += 1;
      return start.apply(this, given);
    };
    // How long the bell shook, each time.
    window.shakes = [];
    let since = null;
    new MutationObserver(() => {
      const shaking = document.querySelector('button[data-shaking]') !== null;
      if (shaking && since === null) since = performance.now();
      if (!shaking && since !== null) window.shakes.push(performance.now() - since);
      if (!shaking) since = null;
    }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-shaking'] });
  });
  await logIn(admin, server.url, account('administrator'));
  await logIn(worker, server.url, account('worker'));
  before0 = await number(mine);
});

const number = async (who) => (await (await who.get('notifications/get-number-notifications')).json()).numberNewNotifications;
const bell = () => worker.getByRole('button', { name: /^Notificaciones(,|$)/ });
const badge = async () => Number((await bell().textContent()) || 0);
const panel = () => worker.getByRole('dialog', { name: 'Notificaciones' });
const row = (text) => panel().getByRole('listitem').filter({ hasText: text });
const openPanel = async () => {
  await bell().click();
  await panel().getByRole('listitem').first().waitFor();
};

/** The administrator writes one for the workers, and publishes it. */
async function publish({ text, url, body }) {
  await admin.goto(`${server.url}/general-notification`);
  await admin.getByRole('button', { name: 'Nuevo aviso' }).first().click();
  const form = admin.getByRole('dialog', { name: 'Nuevo aviso' });
  await form.getByRole('textbox', { name: /^Texto/ }).fill(text);
  await form.getByRole('combobox', { name: 'Destinatarios' }).click();
  await admin.getByRole('option', { name: 'Usuarios de clientes' }).click();
  if (url) await form.getByRole('textbox', { name: /^Enlace/ }).fill(url);
  if (body) {
    await form.getByRole('textbox', { name: /^Contenido/ }).fill(body);
    await form.getByRole('heading', { name: 'Qué cambia' }).waitFor();
    await shot(admin, 'compose');
  }
  await form.getByRole('button', { name: 'Publicar aviso' }).click();
  await admin.getByText('Aviso publicado').waitFor();
}

test('a general notice reaches the workers it is for, at once and with a sound', async () => {
  const others = await number(theirs);
  await bell().waitFor();
  await until(badge, (count) => count === before0);
  // Waits for what disappears by itself are set up before the administrator publishes.
  const toast = worker.getByText(TEXT).waitFor({ timeout: 60_000 });
  const shown = toast.then(async () => {
    await worker.getByText('Nueva notificación').waitFor();
    await shot(worker, 'toast');
    const from = Date.now();
    await worker.getByText('Nueva notificación').waitFor({ state: 'detached' });
    return Date.now() - from;
  });
  await publish({ text: TEXT, body: HTML });
  await until(badge, (count) => count === before0 + 1, 10_000);
  const gone = await shown;
  assert.ok(gone < 9_000, `the toast goes by itself: ${gone} ms`);
  const shakes = await worker.evaluate(() => window.shakes);
  assert.equal(shakes.length, 1);
  assert.ok(shakes[0] > 900 && shakes[0] < 2_500, `the bell shakes for a second: ${shakes[0]} ms`);
  await until(() => worker.evaluate(() => window.sounds), (sounds) => sounds === 1, 3_000);
  assert.equal(await number(mine), before0 + 1);
  assert.equal(await number(theirs), others, 'it is not for customers');
});

test('the panel shows it, its content runs nothing, and it is read', async () => {
  await openPanel();
  await checkAccessibility(worker, 'notification panel');
  await shot(worker, 'panel');
  await row(TEXT).getByRole('button').click();
  const dialog = worker.getByRole('dialog', { name: TEXT });
  await dialog.getByRole('heading', { name: 'Qué cambia' }).waitFor();
  assert.equal(await dialog.locator('script, img, [onerror], a[href^="javascript"]').count(), 0);
  assert.doesNotMatch(await worker.title(), /hacked/);
  await shot(worker, 'html');
  await worker.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await panel().isVisible(), 'the panel stays open below a dialog');
  assert.ok(await row(TEXT).getByRole('checkbox').isChecked());
  await until(() => number(mine), (count) => count === before0);
  assert.equal(await badge(), before0);
});

test('the checkbox marks as read and unread; a failure is reverted', async () => {
  const box = row(TEXT).getByRole('checkbox');
  await box.uncheck();
  await until(() => number(mine), (count) => count === before0 + 1);
  assert.equal(await badge(), before0 + 1);
  await worker.route('**/mark-as-seen-general/**', (route) => route.abort());
  await box.click();
  await worker.getByText('La notificación no se ha podido cambiar').waitFor();
  assert.equal(await box.isChecked(), false);
  assert.equal(await badge(), before0 + 1);
  await worker.unroute('**/mark-as-seen-general/**');
  await box.check();
  await until(() => number(mine), (count) => count === before0);
  await worker.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
});

test('a list that cannot be loaded says so and offers a retry', async () => {
  await worker.route('**/get-by-user', (route) => route.abort());
  await bell().click();
  await panel().getByText('Error al cargar las notificaciones').waitFor();
  await worker.getByRole('dialog', { name: 'Se ha producido un error' }).getByRole('button', { name: 'Aceptar' }).click();
  await shot(worker, 'error');
  await worker.unroute('**/get-by-user');
  await panel().getByRole('button', { name: 'Reintentar' }).click();
  await row(TEXT).waitFor();
});

test('when muted, the next one arrives without a sound; its link opens in the app', async () => {
  await panel().getByRole('button', { name: 'Silenciar' }).click();
  assert.equal(await worker.evaluate(() => localStorage.getItem('muteNotifications')), 'true');
  await panel().getByRole('button', { name: 'Cerrar' }).click();
  await panel().waitFor({ state: 'detached' });
  const sounds = await worker.evaluate(() => window.sounds);
  await publish({ text: 'Vea las conferencias de esta semana', url: `/conferences-autos/${mine.user.parent}` });
  await worker.getByText('Vea las conferencias de esta semana').waitFor();
  assert.equal(await worker.evaluate(() => window.sounds), sounds);
  await openPanel();
  await row('Vea las conferencias').getByRole('button').click();
  await worker.waitForURL('**/conferences-autos/**');
  await panel().waitFor({ state: 'detached' });
  await until(() => number(mine), (count) => count === before0);
});

test('the administrator sees how many read it, and withdraws it', async () => {
  await admin.goto(`${server.url}/general-notification`);
  const sent = admin.getByRole('row').filter({ hasText: 'Vea las conferencias' });
  await sent.getByText('En vigor').waitFor();
  assert.equal(await sent.getByRole('cell').nth(5).textContent(), '1');
  await checkAccessibility(admin, 'general notices');
  await shot(admin, 'admin');
  await sent.getByRole('button', { name: 'Retirar' }).click();
  await admin.getByRole('dialog', { name: '¿Retirar este aviso?' }).getByRole('button', { name: 'Retirar' }).click();
  await admin.getByText('Aviso retirado').waitFor();
  await sent.getByText('Retirado').waitFor();
  await openPanel();
  await row(TEXT).waitFor();
  assert.equal(await row('Vea las conferencias').count(), 0);
});

test('on tablets and phones the menu shows their number, and opens the same panel', async () => {
  await worker.keyboard.press('Escape');
  await panel().waitFor({ state: 'hidden' });
  const unread = await number(mine);
  assert.ok(unread > 0, 'something is unread');
  for (const [width, height] of [[1024, 768], [390, 844]]) {
    await worker.setViewportSize({ width, height });
    await worker.getByRole('button', { name: `Abrir menú. ${unread} sin leer` }).click();
    const entry = worker.getByRole('button', { name: `Notificaciones ${unread} sin leer` });
    await entry.waitFor();
    await settled(worker);
    await shot(worker, `navbar-${width}`);
    const around = await worker.locator('.mantine-Drawer-inner').evaluate((one) => getComputedStyle(one).backgroundColor);
    assert.equal(around, 'rgba(0, 0, 0, 0)', 'the page is seen behind the menu');
    await checkAccessibility(worker, `navbar at ${width}`);
    await entry.click();
    await row(TEXT).waitFor();
    await settled(worker);
    await shot(worker, `panel-${width}`);
    await worker.keyboard.press('Escape');
    await panel().waitFor({ state: 'hidden' });
  }
  await worker.setViewportSize({ width: 1440, height: 900 });
  await openPanel();
});

test('all are marked as read, also after a reload; a narrow window has no bell', async () => {
  await panel().getByRole('button', { name: 'Marcar todas como leídas' }).click();
  await until(() => number(mine), (count) => count === 0);
  await worker.reload();
  await worker.getByRole('button', { name: 'Notificaciones', exact: true }).waitFor();
  assert.equal(await badge(), 0);
  await worker.setViewportSize({ width: 1024, height: 900 });
  assert.equal(await bell().isVisible(), false);
  await worker.setViewportSize({ width: 1025, height: 900 });
  assert.ok(await bell().isVisible());
});
