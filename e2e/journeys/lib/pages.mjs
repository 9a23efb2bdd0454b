/** Which pages a journey has open, and what they showed when a test failed. */
import { afterEach } from 'node:test';

/** How a line about a page begins. */
export const PAGE = 'page ';
const LENGTH = 500;

const open = new Map();

/** Remembers a page until it is closed. */
export function remember(page, name) {
  open.set(page, name);
  page.on('close', () => open.delete(page));
}

/** Closes what a test has left open, so that its calls do not take the processor from the next one. */
export const closePages = () => Promise.all([...open.keys()].map((page) => page.close()));

/** Registered for a whole journey: nobody can look at a failed test's pages afterwards, and mostly they show the cause. */
export const tellFailures = () =>
  afterEach(async (t) => {
    if (t.passed !== false) return;
    for (const [page, name] of open) {
      const text = await page.evaluate(() => document.body.innerText).catch((error) => error.message);
      t.diagnostic(`${PAGE}${name}: ${text.replace(/\s+/g, ' ').slice(0, LENGTH)}`);
    }
  });
