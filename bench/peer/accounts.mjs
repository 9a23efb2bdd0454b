/** Own account and one company, in the shapes of `crates/identity`. */
import { createDecipheriv } from 'node:crypto';

const DAY_MS = 86_400_000;
const [ACTIVE, CUSTOMER] = [2, 2];

const later = (a, b) => Date.parse(a) > b;
const started = (facts) => facts.pay_start_at ?? facts.created_at;

/** What the company lacks (REQUEST-9). */
function missing(facts, now) {
  const asks = facts.kind !== CUSTOMER;
  const pieces = { legal: asks || facts.legal, iban: asks || facts.has_iban, payStart: asks || !later(started(facts), now), status: facts.status === ACTIVE };
  return Object.keys(pieces).filter((piece) => !pieces[piece]);
}

/** The header's banner (COMPANY-8), for people of a customer. */
function banner(facts, role, now) {
  const [date, complete, principal] = [started(facts), facts.legal && facts.has_iban, role % 2 === 0];
  if (later(date, now)) return principal ? { kind: 'TRIAL', link: !complete, date } : null;
  if (!complete) return { kind: 'EXPIRED', link: true, date };
  return principal && now < Date.parse(date) + 10 * DAY_MS ? { kind: 'BILLING', link: false, date } : null;
}

/** Whether video calls may be opened (CASE-25). */
const mayCall = (facts, now) => facts.legal && facts.has_iban && (facts.status === ACTIVE || later(started(facts), now));

/** `me`: everything was read with the session. The menu is the one that our server gives this role: it is no read. */
export function me(account, menu) {
  const now = Date.now();
  const { company_kind: kind, company_status: status, company_legal: legal, has_iban, pay_start_at, created_at } = account;
  const facts = { kind, status, legal, has_iban, pay_start_at, created_at };
  const lacks = missing(facts, now);
  const user = {
    _id: account.user_id,
    role: account.role,
    status: account.status,
    parent: account.parent,
    support: account.support,
    name: account.name,
    surname: account.surname,
    exp: null,
    userName: account.user_name,
    email: account.email,
    phone: account.phone,
    legal: account.legal,
    has2fa: account.two_factor_enabled,
    language: account.language,
    company: {
      _id: account.company_id,
      company: account.company,
      companyType: String(kind),
      status,
      legal,
      hasIban: has_iban,
      pay_startAt: pay_start_at,
      mayCall: mayCall(facts, now),
      blocked: lacks.length > 0,
      missing: lacks,
      banner: banner(facts, account.role, now),
    },
  };
  return { user, menu };
}

/** A field that lies sealed for one place; `null` when the key does not open it. */
export function unsealed(key, context, sealed) {
  // The key's id stands before a dot.
  const bytes = Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-16));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
  } catch {
    return null;
  }
}

const maskedIban = (iban) => {
  const hidden = iban.slice(0, 4) + '*'.repeat(iban.length - 8) + iban.slice(-4);
  return hidden.match(/.{1,4}/g).join(' ');
};
const BANKS = { 2100: 'CaixaBank', '0049': 'Banco Santander', '0182': 'BBVA' };

const COMPANY = `SELECT id, kind, status, cif, name, company, address, city, region, postal_code, email, phone, mobile, bank_account,
    iban_bank, legal, has_iban, legal_id, price_id, retention_days, pay_start_at, fiscal_request_id,
    created_at FROM company WHERE id = ?`;
const HISTORY = `SELECT legal_id, price_id, accepted_at, expires_at FROM legal_history WHERE company_id = ? ORDER BY accepted_at, id`;
const USERS = 'SELECT COUNT(id) AS users FROM app_user WHERE parent = ?';
const PRINCIPAL = `SELECT id, name, surname, email, phone, status FROM app_user WHERE parent = ? AND role = ? ORDER BY id`;

/** `customer/{id}`, for its principal; `null` for another company's people. */
export async function customer(db, fieldKey, account, id) {
  if (account.parent !== id || account.role % 2 !== 0) return null;
  const row = await db.row(COMPANY, [id]);
  const history = await db.rows(HISTORY, [id]);
  const texts = [...new Set(history.map((entry) => entry.legal_id))];
  const titles = texts.length === 0 ? [] : await db.rows(`SELECT id, kind, version, title FROM legal_text WHERE ${db.among('id', texts.length)}`, texts);
  const titled = new Map(titles.map((title) => [title.id, title]));
  const { users } = await db.row(USERS, [id]);
  const principal = await db.row(PRINCIPAL, [id, row.kind]);
  const iban = row.bank_account && unsealed(fieldKey, `company.iban:${id}`, row.bank_account);
  const lacks = missing(row, Date.now());
  const legalHistory = history.map((entry) => {
    const text = titled.get(entry.legal_id);
    return {
      id: entry.legal_id,
      priceId: entry.price_id,
      accepted_at: entry.accepted_at,
      expires_at: entry.expires_at,
      type: text?.kind ?? null,
      version: text?.version ?? null,
      title: text?.title ?? null,
    };
  });
  return {
    customer: {
      _id: row.id,
      companyType: String(row.kind),
      status: row.status,
      cif: row.cif ?? '',
      cifWarning: false,
      name: row.name,
      company: row.company,
      address: row.address ?? '',
      city: row.city ?? '',
      region: row.region ?? '',
      postalCode: row.postal_code ?? '',
      email: row.email ?? '',
      phone: row.phone,
      mobile: row.mobile,
      bankAccount: iban ? maskedIban(iban) : null,
      hasIban: row.has_iban,
      ibanProtected: Boolean(row.bank_account) && !iban,
      bankName: BANKS[row.iban_bank] ?? null,
      legal: row.legal,
      legalId: row.legal_id,
      priceId: row.price_id,
      legalHistory,
      pay_startAt: row.pay_start_at,
      created_at: row.created_at,
      retentionDays: row.retention_days,
      fiscalRequest: row.fiscal_request_id,
      blocked: lacks.length > 0,
      missing: lacks,
      users,
      principal: principal
        ? { _id: principal.id, name: `${principal.name} ${principal.surname}`.trim(), email: principal.email, phone: principal.phone, status: principal.status }
        : null,
    },
  };
}
