/** Who calls: the token that our server gave out, checked with its key, and one read of the session with its account. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Statuses of a user and of a company that may log in; as in `crates/kernel/src/status.rs`. */
const USER_MAY = new Set([0, 2]);
const COMPANY_MAY = new Set([0, 2, 3, 5]);

const SESSION = `
  SELECT s.id AS session_id, s.expires_at, u.id AS user_id, u.role, u.status, u.parent, u.support, u.legal,
    u.two_factor_enabled, u.name, u.surname, u.user_name, u.email, u.phone, u.language,
    c.id AS company_id, c.kind AS company_kind, c.status AS company_status, c.company, c.legal AS company_legal,
    c.has_iban, c.pay_start_at, c.created_at, c.retention_days
  FROM session s JOIN app_user u ON u.id = s.user_id JOIN company c ON c.id = u.parent
  WHERE s.id = ? AND s.ended_at IS NULL AND s.expires_at > ?`;

/** Claims of a token of the right kind and signature; `null` for any other. */
function claims(token, key) {
  const [head, body, signature] = token.split('.');
  if (!signature) return null;
  const expected = createHmac('sha256', key).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const found = JSON.parse(Buffer.from(body, 'base64url').toString());
  return found.typ === 'session' && found.exp * 1000 > Date.now() ? found : null;
}

/** The account of `Authorization: Bearer …`, read anew for each request; `null` without a good one. */
export async function accountOf(db, key, header) {
  const found = header?.startsWith('Bearer ') && claims(header.slice(7), key);
  if (!found) return null;
  const row = await db.row(SESSION, [found.jti, db.moment(new Date())]);
  if (!row || row.user_id !== found.sub || !USER_MAY.has(row.status) || !COMPANY_MAY.has(row.company_status)) return null;
  return { ...row, company_legal: Boolean(row.company_legal) };
}
