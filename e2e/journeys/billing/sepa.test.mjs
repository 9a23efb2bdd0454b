/**
 * SEPA: the customer signs its mandate, the administrator puts its IBAN under the secret, makes the file and takes in
 * what the bank sends back; the customer sees the returned invoice and why. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccessibility } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn, madridDay, session, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

const SECRET = 'mil grullas de papel';
/** The platform's account, to which the debits are paid. */
const OURS = 'ES7921000813610123456789';
let server, browser, admin, principal, company, debit;

const json = async (answer) => {
  assert.ok(answer.ok, `${answer.url}: ${answer.status} ${answer.ok ? '' : await answer.clone().text()}`);
  return answer.json();
};
const secretField = (page) => page.getByRole('dialog').getByLabel('Clave de cifrado', { exact: true });

const { account, errors, shot } = world('sepa', async (made) => {
  ({ server, browser } = made);
  admin = await session(server.url, account('administrator'));
  principal = await session(server.url, account('customer'));
  company = principal.user.parent;
});

async function as(what, path, options) {
  const page = await openPage(browser, what, errors, options);
  // The staff's app is dark unless somebody chose otherwise.
  if (options?.scheme === 'light') await page.addInitScript(() => localStorage.setItem('theme', 'light'));
  await logIn(page, server.url, account(what));
  await page.goto(server.url + path);
  return page;
}

/** The issuer's own data, as its profile saves them: banks check account, BIC and suffix of the creditor. */
async function completeIssuer() {
  const issuer = {
    _id: admin.user.parent,
    company: 'Atalaya Demo, S.L.',
    cif: 'B85626240',
    address: 'Calle Alcalá, 1',
    city: 'Madrid',
    region: 'Madrid',
    postalCode: '28014',
    bankAccount: OURS,
    bic: 'CAIXESBBXXX',
    creditorSuffix: '000',
    registryData: 'Registro Mercantil de Madrid, hoja M-1',
  };
  await json(
    await fetch(`${server.url}/api/v1/customer`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...admin.headers },
      body: JSON.stringify({ customer: issuer }),
    }),
  );
}

/** The demo's customer has signed already: it revokes that mandate and starts again. */
async function endMandates() {
  const { mandates } = await json(await principal.get('mandates'));
  for (const { _id, status } of mandates) {
    if (status === 'active') await json(await principal.post(`mandate-cancel/${_id}`, { reason: 'otra firma' }));
  }
}

test('the customer signs its mandate', async () => {
  await completeIssuer();
  await endMandates();
  const page = await as('customer', `/customer/${company}/perfil`);
  await page.getByRole('heading', { name: /Orden de domiciliación/ }).waitFor();
  await page.getByRole('button', { name: 'Preparar la orden' }).click();
  await page.getByRole('button', { name: 'Firmar', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Firmar la orden de domiciliación' });
  await dialog.getByText(/ES77000B85626240/).waitFor();
  await checkAccessibility(page, 'signing the mandate');
  await dialog.getByRole('button', { name: 'Firmar' }).click();
  await dialog.getByText('Marque la casilla para firmar').waitFor();
  await dialog.getByRole('checkbox').check();
  await shot(page, 'sign');
  await dialog.getByRole('button', { name: 'Firmar' }).click();
  await page.getByText('Mandato firmado').waitFor();
  await page.getByText('Activo', { exact: true }).first().waitFor();
  await page.getByText(/Si cambia el IBAN, este mandato deja de valer/).waitFor();
  const { mandates } = await json(await principal.get('mandates'));
  const mandate = mandates.find(({ status }) => status === 'active');
  assert.ok(mandate, 'the mandate is in force');
  assert.equal(mandate.signature, 'acceptance');
  assert.match(mandate.umr, /^VP-\d{6}-\d{2}$/);
  const pdf = await principal.get(`mandate-pdf/${mandate._id}`);
  assert.equal(pdf.headers.get('content-type'), 'application/pdf');
  await shot(page, 'mandate', { fullPage: true });
  await page.close();
});

test('the administrator puts the IBAN under the secret, which is typed twice the first time', async () => {
  const page = await as('administrator', `/customer/${company}/perfil`, { scheme: 'light' });
  await page.getByRole('button', { name: 'Proteger el IBAN' }).click();
  await secretField(page).fill(SECRET);
  await page.getByLabel('Repita la clave').fill('otra cosa distinta');
  await page.getByRole('button', { name: 'Proteger', exact: true }).click();
  await page.getByText('Las dos claves no coinciden').waitFor();
  assert.equal((await json(await admin.get('sepa-secret'))).set, false);
  await page.getByLabel('Repita la clave').fill(SECRET);
  await shot(page, 'first-secret');
  await page.getByRole('button', { name: 'Proteger', exact: true }).click();
  await page.getByText(/Solo se lee con la clave de las remesas/).waitFor();
  const state = await json(await admin.get('sepa-secret'));
  assert.deepEqual([state.set, state.protected], [true, 1]);
  await page.close();
});

/** Something has to be due: the last closed month is issued when nothing else is. */
async function issueInvoices() {
  const due = async () => json(await admin.get('remittance-due'));
  if ((await due()).nbOfTxs > 0) return;
  await json(await admin.post('generate-all-invoices', {}));
  await until(due, ({ nbOfTxs }) => nbOfTxs > 0);
}

test('a wrong secret changes nothing and keeps the input; the right one creates the file', async () => {
  await issueInvoices();
  const due = await json(await admin.get('remittance-due'));
  const page = await as('administrator', '/remittances');
  const rows = page.getByRole('table').getByRole('row');
  await rows.filter({ hasText: due.invoices[0].number }).waitFor();
  await checkAccessibility(page, 'what is due');
  await page.getByRole('button', { name: 'Generar remesa SEPA' }).click();
  await secretField(page).fill('mil grullas de plomo');
  await page.getByRole('button', { name: 'Generar y enviar' }).click();
  await page.getByText(/No es la clave con la que se protegieron los IBAN/).waitFor();
  assert.equal(await secretField(page).inputValue(), 'mil grullas de plomo');
  assert.match(page.url(), /\/remittances$/, 'a wrong secret ends no session');
  await checkAccessibility(page, 'a wrong secret');
  await shot(page, 'wrong-secret');
  assert.equal((await json(await admin.get('remittances'))).total, 0);

  await secretField(page).fill(SECRET);
  await page.getByRole('button', { name: 'Generar y enviar' }).click();
  const made = page.getByRole('dialog', { name: 'Remesa generada' });
  await made.getByText(/^VP-\d{8}-\d{4}$/).waitFor();
  await shot(page, 'made');
  await made.getByRole('button', { name: 'Aceptar' }).click();
  await page.getByText('No hay nada que cobrar').waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML]));
  assert.ok(!kept.includes(SECRET), 'the secret is kept nowhere');

  const { remittances } = await json(await admin.get('remittances'));
  assert.equal(remittances.length, 1);
  assert.equal(remittances[0].ctrlSum, due.ctrlSum);
  const { attempts } = await json(await admin.get(`remittance/${remittances[0]._id}`));
  debit = attempts.find(({ customerId }) => customerId === company);
  assert.ok(debit, 'the customer is debited');
  const { outbox } = await json(await admin.get('outbox?channel=email&limit=20'));
  const mail = outbox.find(({ attachments }) => attachments?.some(({ name }) => name.endsWith('.zip')));
  assert.ok(mail, 'the file was mailed in a ZIP');
  await page.close();
});

/** A camt.054 as a bank writes it: one debit came back, for this reason, with a charge of 3 euros. */
const returned = ({ endToEndId, umr, amount }, code) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn>
<GrpHdr><MsgId>BANK-1</MsgId><CreDtTm>2026-11-18T06:00:00</CreDtTm></GrpHdr>
<Ntfctn><Id>N-1</Id><CreDtTm>2026-11-18T06:00:00</CreDtTm><Acct><Id><IBAN>${OURS}</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">${amount.toFixed(2)}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${madridDay()}</Dt></BookgDt>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>IDDT</Cd><SubFmlyCd>UPDD</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId><MndtId>${umr}</MndtId></Refs>
<Amt Ccy="EUR">${amount.toFixed(2)}</Amt><CdtDbtInd>DBIT</CdtDbtInd>
<Chrgs><Rcrd><Amt Ccy="EUR">3.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>false</ChrgInclInd></Rcrd></Chrgs>
<RtrInf><Rsn><Cd>${code}</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;

const file = (name, text) => ({ name, mimeType: 'application/xml', buffer: Buffer.from(text) });

test('a bank file lists returned debits by reason, with what was done and what comes next', async () => {
  const page = await as('administrator', '/remittances?tab=files');
  const bring = page.getByTestId('bank-file');
  await page.getByText('Aún no se ha subido ningún fichero').waitFor();
  const whole = returned(debit, 'AM04');

  // Cut in the middle, then something else: refused, with a reason.
  await bring.setInputFiles(file('cortado.xml', whole.slice(0, whole.length / 2)));
  await page.getByText('No se ha procesado cortado.xml').waitFor();
  await bring.setInputFiles(file('otro.xml', '<?xml version="1.0"?><a xmlns="urn:otro"/>'));
  await page.getByText('No se ha procesado otro.xml').waitFor();
  await shot(page, 'refused-file');

  await bring.setInputFiles(file('camt054.xml', whole));
  const panel = page.getByRole('dialog', { name: 'Resultado del fichero' });
  await panel.getByRole('heading', { name: /Saldo insuficiente/ }).waitFor();
  await panel.getByText(debit.number).first().waitFor();
  await panel.getByText(/devueltas/).waitFor();
  await panel.getByText('Qué hacer').waitFor();
  await panel.getByText('Comisión por devolución').waitFor();
  await checkAccessibility(page, 'result of a bank file');
  await shot(page, 'result');
  await page.close();

  // The same file again, on a phone: nothing happens twice.
  const phone = await as('administrator', '/remittances?tab=files', { size: 'phone', scheme: 'light' });
  await phone.getByTestId('bank-file').setInputFiles(file('de-nuevo.xml', whole));
  await phone.getByText('Este fichero ya se había procesado').waitFor();
  await shot(phone, 'again-phone');
  await phone.close();
  const { attempts } = await json(await admin.get(`remittance/${(await json(await admin.get('remittances'))).remittances[0]._id}`));
  const same = attempts.find(({ endToEndId }) => endToEndId === debit.endToEndId);
  assert.deepEqual([same.status, same.reason.code], ['returned', 'AM04']);
});

test('the customer sees the returned invoice with its reason, and was notified by e-mail', async () => {
  const page = await as('customer', `/invoices/${company}`);
  await page.getByText(debit.number).first().waitFor();
  await page.getByText('Devuelta').first().waitFor();
  const invoice = (await json(await principal.get(`get-invoices/${company}`))).invoices.find(({ number }) => number === debit.number);
  assert.equal(invoice.status, 'returned');
  assert.equal(invoice.returnReason.code, 'AM04');
  await page.getByText(debit.number).first().click();
  await page.getByText('Saldo insuficiente').first().waitFor();
  await shot(page, 'customer');
  await page.close();
  const { outbox } = await json(await admin.get('outbox?channel=email&limit=50'));
  assert.ok(
    outbox.some(({ to, text = '', subject = '' }) => to === account('customer').email && `${subject} ${text}`.includes(debit.number)),
    'an e-mail names the returned invoice',
  );
});
