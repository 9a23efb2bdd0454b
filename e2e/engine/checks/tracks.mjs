/** Tracks over their life: mute, screen shares, unpublish, re-used sections, a late third party, subscriptions. */
import { energyRises, event, framesRise, join, sees, stops } from '../lib/call.mjs';
import { must, until } from '../lib/report.mjs';

/** @param {object} ctx @param {{a: any, b: any, c: any}} peers alice and bob are in `ctx.callRoom` and publish */
export async function trackChecks(ctx, { a, b, c }) {
  await muteChecks(ctx, { a, b });
  await shareChecks(ctx, { a, b });
  await lifeChecks(ctx, { a, b });
  await thirdPartyChecks(ctx, { a, b, c });
}

async function muteChecks({ report }, { a, b }) {
  await report.check('microphone mute: announced, sound stops, comes back', async () => {
    await a.call('microphone', false);
    await until('muted at bob', async () => (await sees(b, 'alice', 'microphone')).muted);
    await stops(b, 'alice', 'microphone', { field: 'energy', quiet: 1500, slack: 1e-5 });
    await a.call('microphone', true);
    await until('unmuted at bob', async () => !(await sees(b, 'alice', 'microphone')).muted);
    await energyRises(b, 'alice');
  });

  await report.check('camera mute: announced, frames stop, come back', async () => {
    await a.call('camera', false);
    await until('muted at bob', async () => (await sees(b, 'alice', 'camera')).muted);
    await stops(b, 'alice', 'camera');
    await a.call('camera', true);
    await until('unmuted at bob', async () => !(await sees(b, 'alice', 'camera')).muted);
    await framesRise(b, 'alice');
  });
}

async function shareChecks({ report }, { a, b }) {
  await report.check('a shared screen is a second video; its big key frames arrive whole', async () => {
    await a.call('shareCanvas');
    const share = await framesRise(b, 'alice', { source: 'screen_share', by: 6, ms: 15000 });
    must(share.stats.width === 1280 && share.stats.height === 720, `size ${share.stats.width}×${share.stats.height}`);
    await framesRise(b, 'alice');
    return `${share.stats.packets} packets for ${share.stats.frames} frames, ${share.stats.keyFrames} key frame(s)`;
  });

  await report.check('unpublish: the other loses the track; no "unknown track" warning (ENGINE-25)', async () => {
    const mark = await b.call('mark');
    await a.call('unshareCanvas');
    await event(b, 'unsubscribed', mark, (e) => e.identity === 'alice' && e.source === 'screen_share');
    await framesRise(b, 'alice');
    const warned = (await a.call('warnings')).filter((w) => /unpublished event for unknown track/i.test(w));
    must(warned.length === 0, `the client warned: ${warned[0]}`);
  });

  await report.check("the browser's own screen sharing (getDisplayMedia) arrives and ends", async () => {
    const sid = await b.call('shareScreen', true);
    must(typeof sid === 'string', `getDisplayMedia: ${JSON.stringify(sid)}`);
    const share = await framesRise(a, 'bob', { source: 'screen_share', by: 3, ms: 12000 });
    const mark = await a.call('mark');
    await b.call('shareScreen', false);
    await event(a, 'unsubscribed', mark, (e) => e.source === 'screen_share');
    return `${share.stats.width}×${share.stats.height}`;
  });
}

async function lifeChecks({ report }, { a, b }) {
  for (const round of [1, 2]) {
    await report.check(`camera unpublished and published again on a re-used section, first frame within 6 s (ENGINE-6), round ${round}`, async () => {
      const mark = await b.call('mark');
      const sections = (await b.call('facts')).sections.length;
      await a.call('unpublish', 'camera');
      await event(b, 'unsubscribed', mark, (e) => e.source === 'camera');
      await a.call('camera', true);
      const back = await event(b, 'subscribed', mark, (e) => e.source === 'camera');
      const first = await until('the first frame on screen', async () => (await b.call('firstFrames')).frames[back.sid], { ms: 6000, show: () => b.call('inbound', 'alice', 'camera') });
      await framesRise(b, 'alice');
      const after = (await b.call('facts')).sections.length;
      must(after <= sections + 1, `sections grew from ${sections} to ${after}: freed sections are not used again`);
      return `${Math.round(first.at - back.at)} ms after the subscription, ${after} sections`;
    });
  }

  await report.check('microphone unpublished and published again is heard again', async () => {
    const mark = await b.call('mark');
    await a.call('unpublish', 'microphone');
    await event(b, 'unsubscribed', mark, (e) => e.source === 'microphone');
    await a.call('microphone', true);
    await event(b, 'subscribed', mark, (e) => e.source === 'microphone');
    await energyRises(b, 'alice');
  });

  await report.check('a subscriber unsubscribes and subscribes again', async () => {
    const mark = await b.call('mark');
    await b.call('subscribe', 'alice', 'camera', false);
    await event(b, 'unsubscribed', mark, (e) => e.source === 'camera');
    await b.call('subscribe', 'alice', 'camera', true);
    await event(b, 'subscribed', mark, (e) => e.source === 'camera');
    await framesRise(b, 'alice');
  });

  await report.check('a subscriber disables and enables a video without unsubscribing', async () => {
    await b.call('enable', 'alice', 'camera', false);
    await stops(b, 'alice', 'camera');
    await b.call('enable', 'alice', 'camera', true);
    await framesRise(b, 'alice');
  });
}

async function thirdPartyChecks(ctx, { a, b, c }) {
  const { report } = ctx;
  await report.check('a late third party gets every track: two cameras, two microphones, a screen', async () => {
    await a.call('shareCanvas', { width: 640, height: 360 });
    await sees(b, 'alice', 'screen_share');
    await join(ctx, c, ctx.callRoom, 'carol');
    await Promise.all([
      framesRise(c, 'alice', { ms: 15000 }), framesRise(c, 'bob', { ms: 15000 }), framesRise(c, 'alice', { source: 'screen_share', by: 4, ms: 15000 }),
      energyRises(c, 'alice'), energyRises(c, 'bob'),
    ]);
    const first = await c.call('firstFrames');
    await a.call('unshareCanvas');
    return `first frame ${Math.round(Math.min(...Object.values(first.frames).map((f) => f.at)) - first.joinedAt)} ms after connect()`;
  });

  await report.check('the others see the third party, and its camera when it publishes', async () => {
    must((await c.call('camera', true)) === true, 'camera was not published');
    await Promise.all([framesRise(a, 'carol', { ms: 15000 }), framesRise(b, 'carol', { ms: 15000 })]);
  });

  await report.check('data for one named participant reaches only that one', async () => {
    await a.call('send', 'only bob', { destinationIdentities: ['bob'] });
    await a.call('send', 'then all');
    await until('both at bob', async () => ['only bob', 'then all'].every((t) => t) && (await b.call('data')).filter((d) => ['only bob', 'then all'].includes(d.text)).length === 2);
    await until('the second at carol', async () => (await c.call('data')).some((d) => d.text === 'then all'));
    must(!(await c.call('data')).some((d) => d.text === 'only bob'), 'carol got a message that was not for her');
  });

  await report.check('leave: the others are told at once and the tracks go', async () => {
    const mark = await a.call('mark');
    await c.call('leave');
    await event(a, 'left', mark, (e) => e.identity === 'carol', 3000);
    await until('carol to be gone at bob', async () => !(await b.call('identities')).includes('carol'), { ms: 3000 });
    await framesRise(b, 'alice');
  });
}
