/** Two browsers in a call: pictures, sound, what was negotiated, and data in every form. */
import { energyRises, event, framesRise, join, roomName } from '../lib/call.mjs';
import { must, pause, until } from '../lib/report.mjs';

/** @param {object} ctx @param {{a: any, b: any}} peers both stay in the room: the next group goes on with them */
export async function mediaChecks(ctx, { a, b }) {
  const { report } = ctx;
  const room = roomName('call');
  ctx.callRoom = room;

  await report.check('bob joins an empty room; join answer names a server', async () => {
    const outcome = await join(ctx, b, room, 'bob');
    must(outcome.server?.version, 'the join answer names no server version');
    ctx.serverInfo = outcome.server;
    return `${outcome.server.version}, ${Math.round(outcome.ms)} ms`;
  });

  await report.check('unused receive sections are answered inactive and show no track (ENGINE-6)', async () => {
    const facts = await until('an answered offer', async () => {
      const f = await b.call('facts');
      return f?.answer && f;
    });
    const awake = facts.sections.filter((s) => s.current && s.current !== 'inactive' && s.current !== 'stopped');
    must(awake.length === 0, `sections not inactive: ${JSON.stringify(awake)}`);
    return `${facts.sections.length} sections`;
  }, { except: { livekit: 'LiveKit answers unused sections sendonly without an msid, which has the same effect; the next check covers it' } });

  await report.check('an empty room shows no track, over one peer connection', async () => {
    must((await b.events('subscribed')).length === 0, 'a track was announced in an empty room');
    const { count } = await b.call('facts');
    must(count === 1, `${count} peer connections`);
  });

  await report.check('alice joins; both see name and metadata of the other', async () => {
    const { ms } = await join(ctx, a, room, 'alice');
    const started = Date.now();
    const seen = await until('alice at bob', () => b.call('remote', 'alice'));
    must(seen.name === 'Name of alice' && JSON.parse(seen.metadata).kind === 'staff', `bob sees ${JSON.stringify(seen)}`);
    await until('bob at alice', () => a.call('remote', 'bob'));
    return `joined in ${Math.round(ms)} ms, seen ${Date.now() - started} ms later`;
  });

  await report.check('video decodes both ways', async () => {
    for (const peer of [a, b]) {
      must((await peer.call('microphone', true)) === true, 'microphone was not published');
      must((await peer.call('camera', true)) === true, 'camera was not published');
    }
    const [x, y] = await Promise.all([framesRise(b, 'alice', { by: 15 }), framesRise(a, 'bob', { by: 15 })]);
    must(/vp8/i.test(x.stats.codec), `codec ${x.stats.codec}`);
    return `A→B ${x.from}→${x.to}, B→A ${y.from}→${y.to}, ${x.stats.codec}`;
  });

  await report.check("the client's start bit rate is repeated in the answer (else its top layer comes seconds late)", async () => {
    const { offered, answered } = await a.call('startBitrates');
    must(offered.length > 0, 'the client offered none: look at the client, not at the engine');
    must(answered.includes(offered[0]), `offered ${offered}, answered ${answered.join() || 'none'}`);
    return `${offered[0]} kbit/s`;
  });

  await report.check('sound arrives both ways (audio energy, elements not muted)', async () => {
    const [x, y] = await Promise.all([energyRises(b, 'alice'), energyRises(a, 'bob')]);
    must(x.packets > 0 && y.packets > 0, 'no audio packets');
    return `energy ${x.energy.toFixed(3)} / ${y.energy.toFixed(3)}, lost ${x.lost} / ${y.lost}`;
  });

  await report.check('audio travels as RED: asked for first by the engine, redundant copies at sender and receiver', () => redCheck(a, b));

  await report.check('active speakers are announced', async () => {
    const heard = await event(b, 'speakers', 0, (e) => e.identities.includes('alice'), 10000);
    return heard.identities.join(', ');
  });

  await dataChecks(ctx, { a, b });
}

/**
 * Statistics name Opus even while RED is used. So the answer is read (a sender obeys its order, and then every packet carries
 * a copy of the one before), and packets are weighed: where the engine strips the copies, half of the bytes are missing.
 */
async function redCheck(a, b) {
  const { answer, sections } = await a.call('facts');
  const { mid } = sections.find((x) => x.kind === 'audio' && x.current === 'sendonly');
  const media = answer.split(/(?=^m=)/m).find((part) => new RegExp(`^a=mid:${mid}\\s*$`, 'm').test(part));
  const red = /^a=rtpmap:(\d+) red\/48000/m.exec(media)?.[1];
  must(red && media.split(' ')[3] === red, `answer to the microphone: ${media.split(/\r?\n/)[0]}, RED is ${red ?? 'missing'}`);
  const look = async () => ({ up: (await a.call('outbound', 'microphone'))[0], down: await b.call('inbound', 'alice', 'microphone') });
  const size = (from, to) => (to.bytes - from.bytes) / Math.max(1, to.packets - from.packets);
  let seen = null;
  await until('received packets as heavy as the sent ones', async () => {
    const from = await look();
    await pause(1000);
    const to = await look();
    seen = { sent: Math.round(size(from.up, to.up)), received: Math.round(size(from.down, to.down)) };
    return seen.sent > 0 && seen.received > 0.75 * seen.sent;
  }, { ms: 12000, show: () => seen });
  return `bytes a packet: ${seen.sent} sent, ${seen.received} received`;
}

async function dataChecks({ report }, { a, b }) {
  for (const [name, reliable] of [['reliable', true], ['lossy', false]]) {
    await report.check(`data message arrives: ${name}, with sender and topic`, async () => {
      await a.call('send', `hello ${name}`, { reliable });
      const got = await until('the message', async () => (await b.call('data')).find((d) => d.text === `hello ${name}`));
      must(got.from === 'alice' && got.topic === 'suite', `came as ${JSON.stringify(got)}`);
      must(got.kind === name.toUpperCase(), `came as ${got.kind}`);
    });
  }

  await report.check('reliable messages keep their order and none is lost (200 in a row)', async () => {
    const before = (await b.call('data')).length;
    await a.page.evaluate(async () => {
      for (let i = 0; i < 200; i += 1) await window.h.send(`n${i}`);
    });
    const all = await until('200 messages', async () => {
      const list = (await b.call('data')).slice(before).map((d) => d.text);
      return list.length >= 200 && list;
    });
    must(all.every((text, i) => text === `n${i}`), `order or content broken: ${all.slice(0, 5)}…`);
  });

  await report.check('data message of 40 kB arrives unchanged', async () => {
    const sum = await a.call('sendLarge', 40000);
    const got = await until('the large message', async () => (await b.call('data')).find((d) => d.topic === 'large'));
    must(got.length === 40000 && got.sum === sum, `got ${got.length} bytes, sum ${got.sum} instead of ${sum}`);
  });

  await report.check('text stream arrives', async () => {
    const text = `línea ${'áé€😀'.repeat(6000)}`;
    await a.call('sendText', text);
    const got = await until('the text', async () => (await b.call('texts'))[0]);
    must(got.text === text && got.from === 'alice', `got ${got.text.length} characters of ${text.length}`);
    return `${Buffer.byteLength(text)} bytes`;
  });

  await report.check('byte stream (file) arrives', async () => {
    await b.call('sendFile', 150000);
    const got = await until('the file', async () => (await a.call('bytes'))[0]);
    must(got.length === 150000 && got.name === 'file.bin', `got ${JSON.stringify(got)}`);
  });

  await report.check('RPC answers; an unknown method answers its error', async () => {
    const answer = JSON.parse(await a.call('rpc', 'bob', 21));
    must(answer.value === 42 && answer.callerIdentity === 'alice', `answer ${JSON.stringify(answer)}`);
    const error = await a.call('rpcError', 'bob', 'no-such-method');
    must(error?.code === 1400, `error ${JSON.stringify(error)}`);
  });

  await report.check('attributes set by a participant reach the other', async () => {
    const outcome = await a.call('attributes', { torch: 'on' });
    must(outcome === true, `setAttributes: ${JSON.stringify(outcome)}`);
    await until('the attribute', async () => (await b.call('remote', 'alice'))?.attributes?.torch === 'on');
  });
}
