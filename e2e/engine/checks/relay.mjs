/** TURN inside the engine: an unmodified client that may use nothing else gets a call (docs/rules/turn.md). */
import { energyRises, framesRise, join, leaveAll, roomName } from '../lib/call.mjs';
import { must, until } from '../lib/report.mjs';
import { ownAddress } from '../lib/args.mjs';
import { cut } from '../cut.mjs';
import { startServer } from '../servers.mjs';

const RELAY_ONLY = { peerConnectionTimeout: 20000, rtcConfig: { iceTransportPolicy: 'relay' } };

/** @param {object} ctx @param {{a: any, b: any}} peers free before and after */
export async function relayChecks(ctx, { a, b }) {
  const { report } = ctx;
  if (ctx.engine !== 'embedded') {
    report.group('calls by the TURN of the engine', 'the LiveKit server of the suite has no TURN');
    return;
  }
  let port;
  await report.check('every client is offered TURN with credentials of its own', async () => {
    const room = roomName('offered');
    await Promise.all([join(ctx, a, room, 'alice'), join(ctx, b, room, 'bob')]);
    const [first, second] = [await a.call('iceServers'), await b.call('iceServers')];
    must(first.length === 1 && second.length === 1, `${first.length} and ${second.length} servers`);
    must(first[0].username !== second[0].username && first[0].credential !== second[0].credential, 'two participants have the same credentials');
    port = Number(first[0].urls.find((url) => url.startsWith('turn:')).match(/:(\d+)\?/)[1]);
    return first[0].urls.join(' ');
  });
  await leaveAll(a, b);
  await report.check('with iceTransportPolicy relay two people are in a call', () => relayedCall(ctx, a, b), { ms: 60000 });
  await leaveAll(a, b);
  await report.check('one relays, the other does not: they see and hear each other', async () => {
    const room = roomName('half-relayed');
    await Promise.all([join(ctx, a, room, 'alice', { connect: RELAY_ONLY }), join(ctx, b, room, 'bob')]);
    await inACall(a, b);
    // The direct way must stay open beside the relay, and win.
    const direct = await until('the other to leave the relay', async () => {
      const kind = (await b.call('facts')).pair?.kind;
      return kind !== 'relay' && kind;
    }, { ms: 15000 });
    const { kind } = (await a.call('facts')).pair;
    must(kind === 'relay', `the pair of the one is ${kind}`);
    return `${kind} and ${direct}`;
  }, { ms: 60000 });
  await leaveAll(a, b);
  if (ctx.noCut) {
    report.group('TURN by UDP alone and by TCP alone', ctx.noCut);
  } else if (port) {
    // UDP is answered, not offered (TURN-1): the page asks for it by itself.
    for (const [open, closed] of [['udp', { tcp: [port] }], ['tcp', { udp: [port] }]]) {
      await report.check(`with nothing else open a relayed call runs by TURN over ${open.toUpperCase()}`, async () => {
        const restore = cut(closed);
        try {
          for (const peer of [a, b]) await peer.call('useTurnBy', open);
          return await relayedCall(ctx, a, b, open);
        } finally {
          restore();
          for (const peer of [a, b]) await peer.call('useTurnBy', null);
        }
      }, { ms: 60000 });
      await leaveAll(a, b);
    }
  }
  await onlyTheWebPort(ctx, { a, b });
  await leaveAll(a, b);
}

/** Nothing but TCP to the port of the web server: TURN inside its TLS. */
async function onlyTheWebPort(ctx, { a, b }) {
  const { report } = ctx;
  const name = 'with nothing but the web port open the first picture comes within 5 s, by TURN inside TLS';
  if (!ctx.server || ctx.noCut) {
    report.group(name, ctx.noCut || 'no binary of the server was given (--server)');
    return;
  }
  await report.check(name, async () => {
    const server = await startServer({ binary: ctx.server, address: ownAddress() ?? '127.0.0.1', port: ctx.port + 10 });
    const restore = cut({ udp: [server.mediaPort], tcp: [server.mediaPort] });
    try {
      const room = roomName('web-port');
      const started = Date.now();
      await join({ ...ctx, ...server }, a, room, 'alice');
      must((await a.call('camera', true)) === true, 'camera was not published');
      await join({ ...ctx, ...server }, b, room, 'bob');
      await framesRise(b, 'alice', { by: 1, ms: 20000 });
      const took = Date.now() - started;
      for (const peer of [a, b]) await relaysBy(peer, 'tls');
      must(took <= 5000, `the first picture came after ${took} ms`);
      return `first picture after ${took} ms, two joins one after the other included`;
    } finally {
      restore();
      await leaveAll(a, b);
      await server.close();
    }
  }, { ms: 90000 });
}

/** Both relay, by this protocol if one is named; the answer says how long the joins took. */
async function relayedCall(ctx, a, b, protocol) {
  const room = roomName(`relay-${protocol ?? 'any'}`);
  const started = Date.now();
  await Promise.all([join(ctx, a, room, 'alice', { connect: RELAY_ONLY }), join(ctx, b, room, 'bob', { connect: RELAY_ONLY })]);
  const joined = Date.now() - started;
  await inACall(a, b);
  const ways = [await relaysBy(a, protocol), await relaysBy(b, protocol)];
  return `joined in ${joined} ms, by ${ways.join(' and ')}`;
}

/** How the media are relayed. */
async function relaysBy(peer, protocol) {
  const { pair } = await peer.call('facts');
  must(pair.kind === 'relay' && (!protocol || pair.relayProtocol === protocol), `the media go over ${pair.kind}, ${pair.relayProtocol}`);
  return pair.relayProtocol;
}

async function inACall(a, b) {
  for (const peer of [a, b]) {
    must((await peer.call('microphone', true)) === true, 'microphone was not published');
    must((await peer.call('camera', true)) === true, 'camera was not published');
  }
  await Promise.all([framesRise(a, 'bob', { ms: 20000 }), framesRise(b, 'alice', { ms: 20000 }), energyRises(a, 'bob'), energyRises(b, 'alice')]);
}
