#!/usr/bin/env node
/**
 * The client's page by Lighthouse, mobile, on the real server: `node bench/page.mjs BINARY`. Target: 95.
 * Lighthouse comes from bench/package.json (12.8, the last that runs on Node 20).
 */
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { startServer } from '../e2e/journeys/lib/server.mjs';
import { session } from '../e2e/journeys/lib/steps.mjs';

const server = await startServer({ binary: process.argv[2] });
const mine = await session(server.url, server.accounts.find((a) => a.what === 'worker'));
const { link } = await (
  await mine.post('getToken', { phoneNumber: '600123123', expedientNumber: 'BENCH-PAGE', type: 1, channel: 'none' })
).json();
const chrome = await launch({
  chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const scores = [];
for (let run = 0; run < 3; run += 1) {
  const { lhr } = await lighthouse(link, { port: chrome.port, onlyCategories: ['performance', 'accessibility', 'best-practices'], logLevel: 'error' });
  const of = (name) => Math.round(lhr.categories[name].score * 100);
  const at = (name) => lhr.audits[name].displayValue;
  scores.push(of('performance'));
  console.log(
    `run ${run + 1}: performance ${of('performance')}, accessibility ${of('accessibility')}, best practices ${of('best-practices')}; ` +
      `FCP ${at('first-contentful-paint')}, LCP ${at('largest-contentful-paint')}, TBT ${at('total-blocking-time')}, CLS ${at('cumulative-layout-shift')}`,
  );
}
await chrome.kill();
await server.clean();
const median = scores.sort((a, b) => a - b)[1];
console.log(`${median >= 95 ? 'ok    ' : 'MISSED'}  Lighthouse mobile, median of 3: ${median} (target ≥ 95)`);
process.exit(median >= 95 ? 0 : 1);
