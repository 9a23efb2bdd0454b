/** What most journeys begin with, and how they end: a server on demo data, a browser, pages that throw nothing. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before } from 'node:test';
import { openBrowser } from './browsers.mjs';
import { startServer } from './server.mjs';

export const SHOTS = new URL('../../artifacts/', import.meta.url).pathname;

/**
 * Opens both before the tests of a file and closes them after. A page that is still open then belongs to a failed test,
 * so a screenshot of it is kept. `begin` is what the journey adds, `env` its server's settings, `name` the prefix of its
 * screenshots.
 */
export function world(name, begin, env) {
  const errors = [];
  let server, browser;
  const shot = (page, what, options) => page.screenshot({ path: `${SHOTS}${name}-${what}.png`, ...options });

  async function end() {
    const open = browser?.contexts().flatMap((context) => context.pages()) ?? [];
    for (const [index, page] of open.entries()) await shot(page, `left-${index}`).catch(() => undefined);
    await browser?.close();
    await server?.clean();
  }

  before(async () => {
    await mkdir(SHOTS, { recursive: true });
    try {
      server = await startServer({ binary: process.env.ATALAYA_BIN, env });
      browser = await openBrowser();
      await begin({ server, browser });
    } catch (error) {
      // What has started must be ended here, or the file would never end.
      await end();
      throw error;
    }
  });

  after(async () => {
    await end();
    assert.deepEqual(errors, [], 'no page threw an error');
  });

  return { errors, shot, account: (what) => server.accounts.find((one) => one.what === what) };
}
