/** Bad input on every door while a call runs: it is refused or ignored, and the call goes on. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import * as P from '@livekit/protocol';
import { energyRises, framesRise, leaveAll, roomName, twoInACall } from '../lib/call.mjs';
import { datagrams, rawWebSocket, tcpBytes } from '../lib/raw.mjs';
import { must, pause, skip, until } from '../lib/report.mjs';
import { base64, GZIP, NONE, plainJoin, wrapped } from '../lib/join-request.mjs';
import { joinToken } from '../lib/token.mjs';

const path = (token, joinRequest) => `/rtc/v1?access_token=${token}&join_request=${encodeURIComponent(joinRequest)}`;

/** @param {object} ctx @param {{a: any, b: any}} peers free before and after */
export async function garbageChecks(ctx, { a, b }) {
  const { report } = ctx;
  const host = new URL(ctx.http).hostname;
  await report.check('a fresh call that must survive what follows', async () => {
    await twoInACall(ctx, a, b, 'garbage');
  });
  const marks = [await a.call('mark'), await b.call('mark')];
  const unharmed = async () => {
    const [x, y] = await Promise.all([framesRise(a, 'bob', { ms: 6000 }), framesRise(b, 'alice', { ms: 6000 })]);
    for (const [i, peer] of [a, b].entries()) {
      const bad = (await peer.events(undefined, marks[i])).filter((e) => ['reconnecting', 'signal-reconnecting', 'disconnected', 'left', 'unsubscribed'].includes(e.name) && e.identity !== 'eve');
      must(bad.length === 0, `the call was shaken: ${JSON.stringify(bad)}`);
    }
    return `frames ${x.from}→${x.to} / ${y.from}→${y.to}`;
  };

  await mediaPortChecks(ctx, { a, host, unharmed });
  await joinRequestChecks(ctx, unharmed);
  await frameChecks(ctx, unharmed);
  await report.check('after all of it: sound and pictures still arrive', async () => {
    await Promise.all([energyRises(a, 'bob'), energyRises(b, 'alice')]);
    return unharmed();
  });
  await report.check('after all of it: the engine has not grown', async () => {
    if (!ctx.pid) skip('the engine was not started by the suite');
    const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${ctx.pid}/status`, 'utf8'))[1]);
    // A bomb of 32 MiB unpacked for each attempt, or 32 MiB of frames kept, would show here.
    must(kilobytes < 200 * 1024, `peak ${Math.round(kilobytes / 1024)} MB resident`);
    return `peak ${Math.round(kilobytes / 1024)} MB resident`;
  }, { except: { livekit: "LiveKit's own memory is not ours to judge" } });
  await leaveAll(a, b);
}

async function mediaPortChecks({ report, http }, { a, host, unharmed }) {
  const { remote } = await a.call('facts').catch(() => ({ remote: [] }));
  const port = (protocol) => remote.find((c) => c.protocol === protocol && c.port > 9 && c.port !== Number(new URL(http).port))?.port;

  await report.check('random datagrams, and ones that look like STUN, DTLS and RTP, on the UDP port', async () => {
    must(port('udp'), 'no UDP candidate known');
    const stun = (length) => Buffer.concat([Buffer.from([0, 1, length >> 8, length & 255, 0x21, 0x12, 0xa4, 0x42]), randomBytes(12), randomBytes(Math.min(length, 1000))]);
    const kinds = [
      () => randomBytes(Math.floor(Math.random() * 1400)),
      () => Buffer.alloc(0),
      () => stun(Math.floor(Math.random() * 2000)),
      () => Buffer.concat([Buffer.from([22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0]), randomBytes(200)]),
      () => Buffer.concat([Buffer.from([128, 96 + Math.floor(Math.random() * 20)]), randomBytes(400)]),
      () => Buffer.concat([Buffer.from([129, 201]), randomBytes(60)]),
    ];
    await datagrams(host, port('udp'), Array.from({ length: 3000 }, (_, i) => kinds[i % kinds.length]()));
    return unharmed();
  });

  await report.check('garbage, false lengths and silent connections on the TCP port', async () => {
    must(port('tcp'), 'no TCP candidate known');
    const open = [];
    for (let i = 0; i < 60; i += 1) {
      const bytes = [randomBytes(2000), Buffer.concat([Buffer.from([255, 255]), randomBytes(10)]), Buffer.from([0, 0, 0, 0]), Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(1)][i % 5];
      open.push(tcpBytes(host, port('tcp'), bytes));
    }
    const note = await unharmed();
    open.forEach((socket) => socket.destroy());
    return note;
  });
}

async function joinRequestChecks({ report, http, pair, service }, unharmed) {
  const room = roomName('bad-join');
  const token = joinToken(pair, room, 'eve');
  const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
  const cases = {
    'a gzip bomb (32 MiB in 32 kB)': wrapped(bomb, GZIP),
    'half a gzip': wrapped(gzipSync(plainJoin()).subarray(0, 20), GZIP),
    'no gzip at all': wrapped(randomBytes(300), GZIP),
    'no protobuf': base64(Buffer.alloc(200, 255)),
    'a broken inner message': wrapped(Buffer.alloc(64, 255), NONE),
    'no base64': '***not-base64***',
  };
  for (const [name, request] of Object.entries(cases)) {
    await report.check(`join request with ${name}: refused, nobody appears in a room`, async () => {
      const socket = await rawWebSocket(http, path(token, request));
      must(!socket.timedOut, 'no answer to the upgrade within 6 s');
      must(socket.status === 101 || socket.status === 0 || (socket.status >= 400 && socket.status < 500), `answered ${socket.status}`);
      // Where the upgrade was accepted the refusal comes as a leave message or a close.
      if (socket.status === 101) {
        await until('the connection to be closed or left', () => socket.closed || socket.messages().some((m) => P.SignalResponse.fromBinary(m).message.case === 'leave'), { ms: 8000, show: () => socket.messages().map((m) => P.SignalResponse.fromBinary(m).message.case) });
      }
      const { status } = socket;
      socket.end();
      const { status: found } = await service.raw('GetParticipant', { room, identity: 'eve' });
      must(found === 404, `eve is in the room (${found})`);
      return `${status || 'closed'}; ${await unharmed()}`;
    });
  }

  await report.check('join request whose offer is no SDP: refused or left without media, nobody else is touched', async () => {
    const offer = new P.SessionDescription({ type: 'offer', sdp: 'v=0\r\nnonsense', id: 1 });
    const socket = await rawWebSocket(http, path(token, wrapped(plainJoin({ publisherOffer: offer }), NONE)));
    must(socket.status === 101 || (socket.status >= 400 && socket.status < 500), `answered ${socket.status}`);
    const note = await unharmed();
    const said = socket.messages().map((m) => P.SignalResponse.fromBinary(m).message.case);
    must(!said.includes('answer'), 'nonsense was answered with a description');
    socket.end();
    return `${socket.status} ${said.join(', ')}${socket.closed ? ', closed' : ''}; ${note}`;
  });

  await report.check('resuming an unknown participant is answered with "reconnect fully"', async () => {
    const request = wrapped(plainJoin({ reconnect: true, participantSid: 'PA_doesnotexist' }), NONE);
    const socket = await rawWebSocket(http, path(joinToken(pair, roomName('unknown'), 'eve'), request));
    const first = await until('the first message', () => socket.messages()[0] ?? (socket.status >= 400 && socket.status));
    socket.end();
    if (typeof first === 'number') return `refused with ${first}`;
    const { message } = P.SignalResponse.fromBinary(first);
    must(message.case === 'leave' && message.value.action === P.LeaveRequest_Action.RECONNECT, `first message ${message.case}, action ${message.value?.action}`);
    return 'leave, action RECONNECT';
  });
}

async function frameChecks({ report, http, pair, service }, unharmed) {
  const room = roomName('bad-frames');
  const open = async () => {
    const socket = await rawWebSocket(http, path(joinToken(pair, room, 'eve'), wrapped(gzipSync(plainJoin()), GZIP)));
    must(socket.status === 101, `a good join request was answered ${socket.status}`);
    await until('the join answer', () => socket.messages().some((m) => P.SignalResponse.fromBinary(m).message.case === 'join'));
    return socket;
  };
  const signal = (message) => Buffer.from(new P.SignalRequest({ message }).toBinary());

  await report.check('garbage frames in a signalling session: random binary, text, unmasked, reserved, never ending', async () => {
    const attacks = [
      (s) => Array.from({ length: 200 }, () => s.frame(randomBytes(300))),
      (s) => s.frame(Buffer.from('{"not":"protobuf"}'), { opcode: 1 }),
      (s) => s.frame(randomBytes(50), { masked: false }),
      (s) => s.frame(randomBytes(50), { opcode: 7 }),
      (s) => s.frame(randomBytes(1000), { claim: 2 ** 40 }),
      (s) => Array.from({ length: 4 }, () => s.frame(Buffer.alloc(8 * 1024 * 1024, 7))),
    ];
    for (const attack of attacks) {
      const socket = await open();
      attack(socket);
      await pause(100);
      socket.end();
    }
    return unharmed();
  });

  await report.check('senseless but well-formed messages: offers, candidates, tracks, settings, ids of others', async () => {
    const socket = await open();
    for (let i = 0; i < 300; i += 1) {
      socket.frame(signal({ case: 'offer', value: new P.SessionDescription({ type: 'offer', sdp: `v=0\r\n${randomBytes(40).toString('hex')}`, id: i }) }));
      socket.frame(signal({ case: 'trickle', value: new P.TrickleRequest({ candidateInit: '{"candidate":"candidate:x y z"}', target: 0 }) }));
      socket.frame(signal({ case: 'addTrack', value: new P.AddTrackRequest({ cid: `c${i}`, name: 'x'.repeat(2000), type: i % 3, source: i % 5, width: 4294967295, height: 4294967295 }) }));
      socket.frame(signal({ case: 'trackSetting', value: new P.UpdateTrackSettings({ trackSids: ['TR_nothing'], width: 4294967295, quality: 9 }) }));
      socket.frame(signal({ case: 'mute', value: new P.MuteTrackRequest({ sid: 'TR_nothing', muted: true }) }));
      socket.frame(signal({ case: 'subscription', value: new P.UpdateSubscription({ trackSids: ['TR_nothing'], subscribe: true }) }));
    }
    const note = await unharmed();
    socket.end();
    return note;
  });

  await report.check('a participant cannot mute the track of another by its id', async () => {
    const { body } = await service.raw('ListRooms', {});
    const call = body.rooms.find((r) => r.name.includes('garbage'));
    const participants = (await service.call('ListParticipants', { room: call.name })).participants;
    const socket = await rawWebSocket(http, path(joinToken(pair, call.name, 'eve'), wrapped(plainJoin(), NONE)));
    await until('the join answer', () => socket.messages().length > 0);
    for (const track of participants.flatMap((p) => p.tracks)) socket.frame(signal({ case: 'mute', value: new P.MuteTrackRequest({ sid: track.sid, muted: true }) }));
    await pause(500);
    const after = (await service.call('ListParticipants', { room: call.name })).participants.flatMap((p) => p.tracks ?? []);
    socket.end();
    must(after.every((t) => !t.muted), 'a foreign track was muted');
    return unharmed();
  });
}
