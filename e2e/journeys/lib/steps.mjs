/** What people do, in the words on their screens. */
import assert from 'node:assert/strict';
import { KEEP_CONNECTIONS } from './media.mjs';

export async function logIn(page, url, account) {
  await page.addInitScript(KEEP_CONNECTIONS);
  await page.goto(`${url}/login`);
  await page.getByLabel('Correo electrónico o teléfono').fill(account.email);
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(account.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL((at) => !at.pathname.endsWith('/login'));
}

/** Fills the form and sends it; answers the conference's id. */
export async function openConference(page, url, { expedient, phone = '600 123 123', contact = 'Carmen Ortega', plate = '4821 LKM' }) {
  await page.goto(`${url}/vp-form`);
  await page.getByLabel('N.º de expediente').fill(expedient);
  await page.getByLabel('Persona de contacto').fill(contact);
  await page.getByLabel('Móvil del cliente').fill(phone);
  if (plate) await page.getByLabel('Matrícula').fill(plate);
  await page.getByRole('button', { name: 'Enviar SMS' }).click();
  await page.waitForURL(/\/conference\/[0-9a-f-]{36}/);
  return page.url().match(/\/conference\/([0-9a-f-]{36})/)[1];
}

/** Calls the API as a person who has just logged in. */
export async function session(url, account) {
  const post = (path, body, headers = {}) =>
    fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  await post('prelogin', { userName: account.email });
  const answer = await (await post('login', { userName: account.email, password: account.password, login: true })).json();
  assert.ok(answer.token, `log-in of ${account.email}: ${JSON.stringify(answer)}`);
  const headers = { authorization: `Bearer ${answer.token}` };
  return {
    user: answer.user,
    headers,
    get: (path) => fetch(path.startsWith('/') ? url + path : `${url}/api/v1/${path}`, { headers }),
    post: (path, body) => post(path, body, headers),
  };
}

/** The link in the newest SMS of the outbox to this phone. */
export async function linkFromOutbox(admin, to = '+34600123123') {
  const { outbox } = await (await admin.get(`outbox?channel=sms&to=${encodeURIComponent(to)}&limit=1`)).json();
  assert.equal(outbox.length, 1, 'an SMS is in the outbox');
  const link = outbox[0].text.match(/https?:\/\/\S+/)?.[0];
  assert.ok(link, `a link is in the SMS: ${outbox[0].text}`);
  return { link, text: outbox[0].text };
}

/** The newest link sent to an address or phone. */
export async function newestLink(admin, to) {
  const channel = to.includes('@') ? 'email' : 'sms';
  const { outbox } = await until(
    async () => (await admin.get(`outbox?channel=${channel}&to=${encodeURIComponent(to)}&limit=1`)).json(),
    (answer) => answer.outbox?.length === 1,
  );
  const link = outbox[0].link ?? outbox[0].text.match(/https?:\/\/\S+/)?.[0];
  assert.ok(link, `a link is in the message: ${outbox[0].text}`);
  return link;
}

/** A company's id of seven digits and the right control digit. */
export function cif(digits) {
  const sum = [...digits].reduce((total, figure, place) => {
    const n = Number(figure) * (place % 2 === 0 ? 2 : 1);
    return total + Math.floor(n / 10) + (n % 10);
  }, 0);
  return `B${digits}${(10 - (sum % 10)) % 10}`;
}

/** A conference of the demo data that is over and has a picture: its id and the picture. */
export async function closedWithPicture(principal) {
  const path = `conferences-autos-details/${principal.user.parent}?limit=200`;
  const list = await (await principal.post(path, { begin: madridDay(29), end: madridDay() })).json();
  for (const one of list.conferences.filter(({ closed }) => closed)) {
    const { media } = await (await principal.get(`conference-media/${one._id}`)).json();
    const item = media.find(({ type, expired }) => type === 'PICTURE' && !expired);
    if (item) return { conference: one._id, item };
  }
  throw new Error(`the demo data have a closed conference with a picture: ${JSON.stringify(list).slice(0, 400)}`);
}

/** The client's way from the link into the call. */
export async function enterAsClient(page, link, { camera = true, position = true } = {}) {
  await page.addInitScript(KEEP_CONNECTIONS);
  await page.addInitScript(answerPosition, position ? 'Permitir la ubicación' : 'Seguir sin ubicación');
  await page.goto(link);
  await acceptNotice(page);
  await allowDevices(page, { camera });
  await page.getByRole('toolbar').waitFor();
}

/** Camera and microphone in one prompt; without the camera each of them is asked for on its own. */
export async function allowDevices(page, { camera = true } = {}) {
  if (camera) {
    await page.getByRole('button', { name: 'Permitir cámara y micrófono' }).click();
    return;
  }
  await page.getByRole('button', { name: 'Elegir uno por uno' }).click();
  await page.getByRole('button', { name: 'Seguir solo con voz' }).click();
  await page.getByRole('button', { name: 'Permitir el micrófono' }).click();
}

/** Runs in the page: answers the question about the position, which comes with the first picture. */
function answerPosition(answer) {
  const look = () => {
    const buttons = [...document.querySelectorAll('dialog[open] button')];
    buttons.find((button) => button.textContent.trim() === answer && button.ariaDisabled !== 'true')?.click();
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
}

export async function acceptNotice(page) {
  const box = page.getByRole('checkbox', { name: 'He leído la información' });
  await box.waitFor();
  assert.equal(await box.isChecked(), false, 'the box is not ticked beforehand');
  await box.check();
  await page.getByRole('button', { name: 'Aceptar y continuar' }).click();
}

/** The day some days ago in Madrid, where the server counts days, as `2026-11-23`; it differs from UTC's after midnight. */
export const madridDay = (ago = 0) =>
  new Date(Date.now() - ago * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });

/** Polls until the answer is right; a failed poll is repeated. */
export async function until(ask, good, timeout = 60_000) {
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await ask().catch((error) => error);
    if (!(answer instanceof Error) && good(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`never came: ${answer instanceof Error ? answer.message : JSON.stringify(answer)}`);
    await new Promise((done) => setTimeout(done, 250));
  }
}
