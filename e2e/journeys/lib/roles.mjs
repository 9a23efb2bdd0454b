/** A server with the demo's data where somebody of each role has a session. */
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { freeMediaPort, freePort, newFolder, plainEnvironment, startServer } from './server.mjs';
import { session } from './steps.mjs';

const OPERATOR = { email: 'operador@demo.atalaya.example', password: 'Torre-del-Miguelete-33' };

/** The demo's accounts by role. */
const BY_ROLE = {
  1: 'administrator',
  2: 'customer',
  3: 'worker',
  4: 'repairer',
  5: 'repairer operator',
  6: 'workshop',
  7: 'workshop operator',
};
export const ROLES = [1, 2, 3, 4, 5, 6, 7, 8];

/** Starts it on demo data to which a password operator is added: they cannot be invited, the command creates one. */
async function startWithOperator(dataDir) {
  const [port, mediaPort] = [await freePort(), await freeMediaPort()];
  const binary = process.env.ATALAYA_BIN;
  const first = await startServer({ binary, dataDir, port, mediaPort });
  const { accounts } = first;
  await first.end('SIGTERM');
  execFileSync(binary, ['admin', 'create', '--role', '8', '--email', OPERATOR.email, '--data-dir', dataDir], {
    input: `${OPERATOR.password}\n`,
    env: plainEnvironment(),
  });
  return { server: await startServer({ binary, dataDir, port, mediaPort }), accounts };
}

/** Answers the server, its `accounts`, `account(role)` for a log-in, the sessions of all by role, and what removes it all. */
export async function startWithEveryRole() {
  const folder = await newFolder();
  const { server, accounts } = await startWithOperator(folder);
  const account = (role) => (role === 8 ? OPERATOR : accounts.find((one) => one.what === BY_ROLE[role]));
  const clean = async () => {
    await server.clean();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const people = Object.fromEntries(
      await Promise.all(ROLES.map(async (role) => [role, await session(server.url, account(role))])),
    );
    return { server, accounts, account, people, clean };
  } catch (error) {
    // A server that is left running keeps the failed journey from ending.
    await clean();
    throw error;
  }
}
