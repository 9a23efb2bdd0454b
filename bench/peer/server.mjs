/**
 * A server in Node as one writes it: Express, and better-sqlite3 or `pg`. It answers six calls of ours from the same
 * tables, in the same shapes, to the holders of the same tokens, and nothing else. `bench/reads.mjs` starts it:
 *
 *   node server.mjs '{"database": "…/atalaya.db", "tokenKey": "…", "fieldKey": "…", "publicUrl": "…", "links": {…}, "menu": […]}'
 *
 * `database` is a file or a `postgres://` address; the keys are those of our `secrets.toml`; links and menu are what our
 * server answers, because both are made of configuration and constants. Prints its port.
 */
import express from 'express';
import { customer, me } from './accounts.mjs';
import { details, list } from './conferences.mjs';
import { accountOf } from './session.mjs';
import { postgres, sqlite } from './store.mjs';

const options = JSON.parse(process.argv[2]);
const db = options.database.startsWith('postgres') ? postgres(options.database) : sqlite(options.database);
const [tokenKey, fieldKey] = [options.tokenKey, options.fieldKey].map((text) => Buffer.from(text, 'hex'));

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use((request, response, next) => {
  response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
  next();
});
app.use(async (request, response, next) => {
  request.account = await accountOf(db, tokenKey, request.get('authorization'));
  next();
});

const api = express.Router();
api.get('/get-links', (_, response) => response.json(options.links));
api.use((request, response, next) => (request.account ? next() : response.status(401).json({ code: 'SESSION_REQUIRED' })));
api.get('/me', (request, response) => response.json(me(request.account, options.menu)));
const answer = (response, found, code) => (found ? response.json(found) : response.status(404).json({ code }));
api.get('/customer/:id', async (request, response) => {
  answer(response, await customer(db, fieldKey, request.account, request.params.id), 'COMPANY_NOT_FOUND');
});
api.post('/conferences-div-details/:id', express.json(), async (request, response) => {
  answer(response, await list(db, request.account, request.params.id, request.query, request.body ?? {}), 'COMPANY_NOT_FOUND');
});
api.get('/conferences-details/:id', async (request, response) => {
  answer(response, await details(db, fieldKey, options.publicUrl, request.account, request.params.id), 'CONFERENCE_NOT_FOUND');
});
app.use('/api/v1', api);

const server = app.listen(options.port ?? 0, '127.0.0.1', () => console.log(server.address().port));
process.on('SIGTERM', () => process.exit(0));
