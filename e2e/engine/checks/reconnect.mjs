/** Dropped signalling, ICE restart, full reconnect, and a participant that vanishes without a word. */
import { energyRises, event, framesRise, join, leaveAll, twoInACall } from '../lib/call.mjs';
import { must, until } from '../lib/report.mjs';

/** @param {object} ctx @param {{a: any, b: any}} peers free before and after */
export async function reconnectChecks(ctx, { a, b }) {
  const { report } = ctx;
  let room;
  let vanished;
  await report.check('a fresh call for the reconnects', async () => {
    ({ room } = await twoInACall(ctx, a, b, 'reconnect'));
    const ghost = await ctx.browser.open();
    await join(ctx, ghost, room, 'ghost', { options: { disconnectOnPageLeave: false } });
    await until('the ghost at alice', async () => (await a.call('identities')).includes('ghost'));
    // Closed without a leave message; checked below, after its grace time.
    await ghost.close();
    vanished = Date.now();
  });

  await report.check('websocket dropped: the session resumes with an ICE restart, nobody is told it left', async () => {
    const [mark, markA] = [await b.call('mark'), await a.call('mark')];
    const before = await b.call('facts');
    const started = Date.now();
    await b.call('dropSocket');
    await event(b, 'reconnected', mark, () => true, 12000);
    const took = Date.now() - started;
    await Promise.all([framesRise(b, 'alice'), framesRise(a, 'bob'), energyRises(a, 'bob')]);
    const left = (await a.events('left', markA)).filter((e) => e.identity === 'bob');
    must(left.length === 0, 'alice was told that bob left');
    must(!(await b.events('reconnecting', mark)).length || (await b.events('subscribed', mark)).length === 0, 'it was a full reconnect, not a resume');
    const after = await until('a new ICE user fragment', async () => {
      const f = await b.call('facts');
      return f.ufrag !== before.ufrag && ['connected', 'completed'].includes(f.ice) && f;
    });
    return `${took} ms; ufrag ${before.ufrag} → ${after.ufrag}`;
  });

  await report.check('after the resume: data both ways and mute still work', async () => {
    await a.call('send', 'after resume');
    await until('the message at bob', async () => (await b.call('data')).some((d) => d.text === 'after resume'));
    await b.call('send', 'back');
    await until('the message at alice', async () => (await a.call('data')).some((d) => d.text === 'back'));
    const mark = await a.call('mark');
    await b.call('camera', false);
    await event(a, 'muted', mark, (e) => e.identity === 'bob');
    await b.call('camera', true);
    await framesRise(a, 'bob');
  });

  await report.check('dropped three times in a row it still comes back', async () => {
    for (let i = 0; i < 3; i += 1) {
      const mark = await b.call('mark');
      await b.call('dropSocket');
      await event(b, 'reconnected', mark, () => true, 12000);
    }
    await Promise.all([framesRise(b, 'alice'), framesRise(a, 'bob')]);
  });

  await report.check('full reconnect: every track comes back on both sides', async () => {
    const [mark, markA] = [await b.call('mark'), await a.call('mark')];
    const started = Date.now();
    await b.call('simulate', 'full-reconnect');
    await event(b, 'reconnected', mark, () => true, 15000);
    const took = Date.now() - started;
    await event(a, 'subscribed', markA, (e) => e.identity === 'bob' && e.source === 'camera', 10000);
    await Promise.all([framesRise(b, 'alice'), framesRise(a, 'bob'), energyRises(b, 'alice'), energyRises(a, 'bob')]);
    return `${took} ms`;
  });

  await report.check('a participant that vanished is announced as gone when its grace time is over', async () => {
    await until('the ghost to be gone', async () => !(await a.call('identities')).includes('ghost'), { ms: 40000, every: 300 });
    return `at most ${((Date.now() - vanished) / 1000).toFixed(0)} s`;
  }, { ms: 45000 });
  await leaveAll(a, b);
}
