/** Accessibility: axe-core finds nothing serious or critical on a screen. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Waits until finite animations are over: half-faded text has no contrast to judge, and a closing list no entries. */
export async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const moving = () =>
      document.getAnimations().some((a) => a.playState === 'running' && a.effect?.getComputedTiming().endTime !== Infinity);
    for (let still = 0, frames = 0; still < 15 && frames < 400; frames += 1) {
      await frame();
      still = moving() ? 0 : still + 1;
    }
  });
}

export async function checkAccessibility(page, name) {
  await settled(page);
  // evaluate() is not subject to the page's content security policy, a script tag would be.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const grave = violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id} (${v.impact}): ${v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(' | ')}`);
  assert.deepEqual(grave, [], `axe on ${name}`);
}
