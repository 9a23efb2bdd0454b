/** The media port dies: ten seconds without UDP and TCP (ENGINE-10), and a network that lets only TCP through. */
import { energyRises, event, framesRise, join, leaveAll, roomName, twoInACall } from '../lib/call.mjs';
import { must, pause, until } from '../lib/report.mjs';
import { cut } from '../cut.mjs';

/** The engine's media ports as the browser knows them; the signalling port is never among them. */
async function mediaPorts(ctx, peer) {
  const { remote } = await peer.call('facts');
  const signalling = Number(new URL(ctx.http).port || 80);
  const of = (protocol) => [...new Set(remote.filter((c) => c.protocol === protocol && c.port > 9 && c.port !== signalling).map((c) => c.port))];
  return { udp: of('udp'), tcp: of('tcp') };
}

/** @param {object} ctx @param {{a: any, b: any}} peers free before and after */
export async function networkChecks(ctx, { a, b }) {
  const { report } = ctx;
  if (ctx.noCut) {
    report.group('media port cut for 10 s; TCP-only connection', ctx.noCut);
    return;
  }
  let ports;
  await report.check('a fresh call; the engine offers one UDP port and ICE over TCP', async () => {
    await twoInACall(ctx, a, b, 'cut');
    ports = await until('UDP and TCP candidates', async () => {
      const p = await mediaPorts(ctx, a);
      return p.udp.length === 1 && p.tcp.length === 1 && p;
    }, { show: async () => (await a.call('facts')).remote });
    const { pair } = await a.call('facts');
    must(pair?.protocol === 'udp', `the media go over ${pair?.protocol}`);
    return `udp ${ports.udp}, tcp ${ports.tcp}`;
  });
  if (ports) {
    await report.check('media port cut for 10 s: frames stop, no ICE restart, frames and sound return', () => tenSeconds(ctx, { a, b, ports }), { ms: 45000 });
    if (ctx.long) await report.check('media port cut for 25 s: the call comes back by an ICE restart', () => longCut(ctx, { a, b, ports }), { ms: 80000 });
  }
  await leaveAll(a, b);
  if (ports) await report.check('with UDP closed two people join over TCP, ICE or TURN: pictures and sound both ways', () => tcpOnly(ctx, { a, b, ports }), { ms: 60000 });
  await leaveAll(a, b);
}

const decoded = async (a, b) => [(await a.call('inbound', 'bob', 'camera')).frames, (await b.call('inbound', 'alice', 'camera')).frames];

async function tenSeconds(ctx, { a, b, ports }) {
  const marks = [await a.call('mark'), await b.call('mark')];
  const before = [(await a.call('facts')).ufrag, (await b.call('facts')).ufrag];
  const started = Date.now();
  const restore = cut(ports);
  try {
    await pause(1500); // what is in the jitter buffers is still decoded
    const first = await decoded(a, b);
    await pause(Math.max(0, 9500 - (Date.now() - started)));
    const last = await decoded(a, b);
    must(first.join() === last.join(), `frames arrived during the cut: ${first} → ${last}`);
    await pause(Math.max(0, 10000 - (Date.now() - started)));
  } finally {
    restore();
  }
  const back = Date.now();
  const took = await Promise.all([framesRise(a, 'bob', { by: 3 }), framesRise(b, 'alice', { by: 3 })].map((p) => p.then(() => Date.now() - back)));
  await Promise.all([energyRises(a, 'bob'), energyRises(b, 'alice'), framesRise(a, 'bob', { by: 20 }), framesRise(b, 'alice', { by: 20 })]);
  const after = [(await a.call('facts')).ufrag, (await b.call('facts')).ufrag];
  must(after.join() === before.join(), `ICE restarted: ${before} → ${after}`);
  for (const [i, peer] of [a, b].entries()) {
    const events = (await peer.events(undefined, marks[i])).filter((e) => ['reconnecting', 'signal-reconnecting', 'disconnected', 'left'].includes(e.name));
    must(events.length === 0, `the session was shaken: ${JSON.stringify(events)}`);
  }
  return `frames back after ${took.join(' / ')} ms`;
}

async function longCut(ctx, { a, b, ports }) {
  const marks = [await a.call('mark'), await b.call('mark')];
  const restore = cut(ports);
  try {
    await pause(25000);
  } finally {
    restore();
  }
  const back = Date.now();
  await Promise.all([event(a, 'reconnected', marks[0], () => true, 25000), event(b, 'reconnected', marks[1], () => true, 25000)]);
  await Promise.all([framesRise(a, 'bob', { ms: 25000 }), framesRise(b, 'alice', { ms: 25000 })]);
  return `back ${Date.now() - back} ms after the cut`;
}

async function tcpOnly(ctx, { a, b, ports }) {
  const restore = cut({ udp: ports.udp });
  try {
    const room = roomName('tcp');
    const started = Date.now();
    await Promise.all([join(ctx, a, room, 'alice', { connect: { peerConnectionTimeout: 20000 } }), join(ctx, b, room, 'bob', { connect: { peerConnectionTimeout: 20000 } })]);
    const took = Date.now() - started;
    for (const peer of [a, b]) {
      must((await peer.call('microphone', true)) === true, 'microphone was not published');
      must((await peer.call('camera', true)) === true, 'camera was not published');
    }
    await Promise.all([framesRise(a, 'bob', { ms: 20000 }), framesRise(b, 'alice', { ms: 20000 }), energyRises(a, 'bob'), energyRises(b, 'alice')]);
    const { pair } = await a.call('facts');
    // A browser that is connected by TURN over TCP before it tries ICE over TCP stays there.
    const way = pair.kind === 'relay' ? pair.relayProtocol : pair.protocol;
    must(way === 'tcp', `the media go over ${way}`);
    return `${pair.kind}, joined in ${took} ms, remote port ${pair.remotePort}`;
  } finally {
    restore();
  }
}
