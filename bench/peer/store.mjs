/**
 * The two databases behind one small face: `rows(sql, values)` and `row(sql, values)`. Statements are written with `?`, ids
 * are texts with hyphens, moments RFC 3339 in UTC; `among(column, count)` is a list of that many values.
 *
 * SQLite: better-sqlite3, each statement prepared once, on the one thread that Node has. PostgreSQL: `pg` with a pool of
 * ten, each statement named, so that the server prepares it once per connection.
 */
import Database from 'better-sqlite3';
import pg from 'pg';

/** Columns that hold an id, by their names in our tables. */
const isId = (name) => name === 'id' || name.endsWith('_id') || ['parent', 'fallback_of'].includes(name);
const isMoment = (name) => name.endsWith('_at') || name === 'at' || name === 'media_request_expired';
const isFlag = (name) => ['closed', 'files_requested', 'support', 'legal', 'two_factor_enabled', 'has_iban'].includes(name);

const hyphened = (bytes) => {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const bound = (value) => (typeof value === 'string' && ID.test(value) ? Buffer.from(value.replaceAll('-', ''), 'hex') : value);
const among = (column, count) => `${column} IN (${Array(count).fill('?').join(', ')})`;

/** How the values of a column become those of an answer; chosen once per statement. */
function reader(name) {
  if (isId(name)) return (value) => (Buffer.isBuffer(value) ? hyphened(value) : value);
  if (isMoment(name)) return (value) => value?.replace('+00:00', 'Z') ?? null;
  if (isFlag(name)) return (value) => value === 1;
  if (name === 'projection') return (value) => JSON.parse(value);
  return null;
}

/** Of a file, which is only read. */
export function sqlite(file) {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  const known = new Map();
  const prepared = (sql) => {
    let found = known.get(sql);
    if (!found) {
      const statement = db.prepare(sql).raw();
      const columns = statement.columns().map(({ name }) => ({ name, read: reader(name) }));
      found = { statement, columns };
      known.set(sql, found);
    }
    return found;
  };
  const object = (columns, values) => {
    const row = {};
    for (let at = 0; at < columns.length; at += 1) {
      const { name, read } = columns[at];
      row[name] = read ? read(values[at]) : values[at];
    }
    return row;
  };
  return {
    among,
    async rows(sql, values = []) {
      const { statement, columns } = prepared(sql);
      return statement.all(values.map(bound)).map((found) => object(columns, found));
    },
    async row(sql, values = []) {
      const { statement, columns } = prepared(sql);
      const found = statement.get(values.map(bound));
      return found && object(columns, found);
    },
    flag: (yes) => (yes ? 1 : 0),
    moment: (date) => date.toISOString().replace('Z', '+00:00'),
  };
}

/** Of a server's address. */
export function postgres(address) {
  // Moments as texts like ours; whole numbers as numbers.
  const types = pg.types;
  types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => text.replace(' ', 'T').replace(/\+00$/, 'Z'));
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString: address, max: 10, options: '-c timezone=UTC' });
  const known = new Map();
  const named = (sql) => {
    let found = known.get(sql);
    if (!found) {
      let place = 0;
      found = { name: `q${known.size}`, text: sql.replaceAll('?', () => `$${(place += 1)}`) };
      known.set(sql, found);
    }
    return found;
  };
  const rows = async (sql, values = []) => (await pool.query({ ...named(sql), values })).rows;
  return {
    among,
    rows,
    row: async (sql, values) => (await rows(sql, values))[0],
    flag: (yes) => yes,
    moment: (date) => date.toISOString(),
  };
}
