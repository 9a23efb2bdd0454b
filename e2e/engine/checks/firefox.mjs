/** Firefox ESR against Chromium in one call (ENGINE-8, ENGINE-9). The engine advertises the machine's own address. */
import { noFirefox, startFirefox } from '../lib/browsers.mjs';
import { energyRises, event, framesRise, join, leaveAll, roomName } from '../lib/call.mjs';
import { must, until } from '../lib/report.mjs';

/** @param {object} ctx @param {{a: any}} peers a Chromium page, free before and after */
export async function firefoxChecks(ctx, { a }) {
  const { report } = ctx;
  const missing = noFirefox();
  const loopback = /^(127\.|localhost|\[?::1)/.test(new URL(ctx.http).hostname);
  if (missing || loopback) {
    report.group('Firefox ESR against Chromium', missing ?? 'the engine is on the loopback address, which Firefox does not connect to');
    return;
  }
  let firefox;
  try {
    firefox = await startFirefox(ctx.harness);
    await calls(ctx, a, await firefox.open(), firefox.version);
  } finally {
    await leaveAll(a);
    await firefox?.close().catch(() => {});
  }
}

async function calls(ctx, a, f, version) {
  const { report } = ctx;
  const room = roomName('firefox');

  await report.check('Firefox joins, with the sections it offers itself and no more (ENGINE-7, ENGINE-9)', async () => {
    await join(ctx, a, room, 'alice');
    const outcome = await join(ctx, f, room, 'fox');
    const facts = await until('an ICE connection', async () => {
      const now = await f.call('facts');
      return ['connected', 'completed'].includes(now?.ice) && now;
    }, { show: () => f.call('facts') });
    must(facts.sections.length <= 6, `${facts.sections.length} sections: the first offer was asked for twice`);
    const hidden = facts.localCandidates.some((c) => c.includes('.local '));
    return `${version}, ${Math.round(outcome.ms)} ms, ${facts.sections.length} sections, ${hidden ? 'mDNS candidates' : 'open candidates'}`;
  });

  await report.check('Firefox publishes: its tracks are matched to their announcements (ENGINE-8)', async () => {
    must((await f.call('microphone', true)) === true, 'microphone was not published');
    must((await f.call('camera', true)) === true, 'camera was not published');
    const { stats } = await framesRise(a, 'fox', { ms: 15000 });
    await energyRises(a, 'fox');
    return `${stats.width}×${stats.height} ${stats.codec}`;
  });

  await report.check('Firefox receives pictures and sound of Chromium', async () => {
    must((await a.call('microphone', true)) === true, 'microphone was not published');
    must((await a.call('camera', true)) === true, 'camera was not published');
    const { stats } = await framesRise(f, 'alice', { ms: 15000, by: 15 });
    const sound = await energyRises(f, 'alice', { by: 1e-6 });
    return `${stats.width}×${stats.height}, energy ${sound.energy.toFixed(4)}`;
  });

  await report.check('Firefox: data and text both ways', async () => {
    await a.call('send', 'to the fox');
    await until('the message at Firefox', async () => (await f.call('data')).some((d) => d.text === 'to the fox' && d.from === 'alice'));
    await f.call('sendText', 'from the fox');
    await until('the text at Chromium', async () => (await a.call('texts')).some((t) => t.text === 'from the fox' && t.from === 'fox'));
  });

  await report.check('Firefox: camera unpublished and published again, seen in Chromium within 6 s', async () => {
    const mark = await a.call('mark');
    await f.call('unpublish', 'camera');
    await event(a, 'unsubscribed', mark, (e) => e.source === 'camera');
    await f.call('camera', true);
    await event(a, 'subscribed', mark, (e) => e.source === 'camera');
    await framesRise(a, 'fox', { ms: 6000, by: 3 });
  });

  await report.check('Firefox: websocket dropped, resumed, pictures both ways go on', async () => {
    const mark = await f.call('mark');
    await f.call('dropSocket');
    await event(f, 'reconnected', mark, () => true, 15000);
    await Promise.all([framesRise(f, 'alice'), framesRise(a, 'fox')]);
  });
  await leaveAll(f);
}
