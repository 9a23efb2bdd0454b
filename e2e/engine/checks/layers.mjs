/** Simulcast: what a subscriber asks for is what it gets, without a jump in time; layers nobody wants are switched off. */
import { framesRise, join, leaveAll, roomName } from '../lib/call.mjs';
import { must, until } from '../lib/report.mjs';

const HD = { width: 1280, height: 720, fps: 15 };

/** @param {object} ctx @param {{a: any, b: any}} peers free before and after */
export async function layerChecks(ctx, { a, b }) {
  const { report } = ctx;
  const room = roomName('layers');
  const wide = (width, ms = 15000) =>
    until(`alice's camera ${width} wide`, async () => {
      const s = await b.call('inbound', 'alice', 'camera');
      return s?.width === width && s;
    }, { ms, show: async () => ({ in: await b.call('inbound', 'alice', 'camera'), out: await a.call('outbound', 'camera') }) });

  await report.check('three layers are published by rid and the subscriber reaches the top one', async () => {
    await Promise.all([join(ctx, a, room, 'alice', { options: { dynacast: true } }), join(ctx, b, room, 'bob')]);
    must((await a.call('camera', true, HD)) === true, 'camera was not published');
    await framesRise(b, 'alice');
    const layers = await until('three layers at the sender', async () => {
      const all = await a.call('outbound', 'camera');
      return all.length === 3 && all.every((l) => l.frames > 0) && all;
    }, { ms: 15000, show: () => a.call('outbound', 'camera') });
    // At once on an idle machine; a publisher short of CPU starts low and climbs by some 8 % a second.
    const top = await wide(1280, 40000);
    return `${layers.map((l) => l.rid).join(', ')}; top ${top.width}×${top.height}`;
  }, { ms: 75000 });

  for (const [quality, width] of [['LOW', 320], ['MEDIUM', 640], ['HIGH', 1280]]) {
    await report.check(`subscriber asks for ${quality}: the picture becomes ${width} wide, without a freeze (ENGINE-19)`, async () => {
      const before = await b.call('inbound', 'alice', 'camera');
      await b.call('quality', 'alice', 'camera', quality);
      const started = Date.now();
      await wide(width, 28000);
      const took = Date.now() - started;
      const { stats } = await framesRise(b, 'alice');
      // A publisher needs a moment for a layer that dynacast had switched off; more than two freezes are a broken time line.
      must(stats.freezes - before.freezes <= 2, `${stats.freezes - before.freezes} freezes at the switch`);
      must(stats.shown > before.shown, 'frames are decoded but none is shown');
      return `${took} ms, freezes ${stats.freezes - before.freezes}`;
    }, { ms: 45000 });
  }

  await report.check('dynacast: layers that nobody wants are switched off at the publisher, and on again', async () => {
    await b.call('quality', 'alice', 'camera', 'LOW');
    const off = await until('the upper layers to stop', async () => {
      const all = await a.call('outbound', 'camera');
      return all.some((l) => l.active === false && l.rid !== 'q') && all;
    }, { ms: 15000, show: () => a.call('outbound', 'camera') });
    await b.call('quality', 'alice', 'camera', 'HIGH');
    await wide(1280, 28000);
    return `off at LOW: ${off.filter((l) => l.active === false).map((l) => l.rid).join(', ')}`;
  }, { ms: 60000 });
  await leaveAll(a, b);

  await report.check('adaptive stream: a small element gets the small layer, a large one the large (ENGINE-21)', async () => {
    const second = roomName('adaptive');
    await Promise.all([join(ctx, a, second, 'alice', { options: { dynacast: true } }), join(ctx, b, second, 'bob', { options: { adaptiveStream: { pixelDensity: 1 }, dynacast: true } })]);
    must((await a.call('camera', true, HD)) === true, 'camera was not published');
    await framesRise(b, 'alice', { ms: 15000 });
    await b.call('resize', 'alice', 'camera', 160, 90);
    await wide(320, 15000);
    await b.call('resize', 'alice', 'camera', 1280, 720);
    await wide(1280, 28000);
  }, { ms: 70000 });
  await leaveAll(a, b);
}
