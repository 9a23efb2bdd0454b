/** The room service (Twirp, JSON) and what its calls do to the people in the room. */
import { event, framesRise, join, leaveAll, roomName, sees, stops, twoInACall } from '../lib/call.mjs';
import { must, until } from '../lib/report.mjs';
import { joinToken, mint } from '../lib/token.mjs';

/** LiveKit answers JSON with the proto's snake_case names; camelCase is proto3 JSON too, so both are accepted. */
const field = (object, name) => object?.[name] ?? object?.[name.replace(/_(.)/g, (_, c) => c.toUpperCase())];

/** @param {object} ctx @param {{a: any, b: any, c: any}} peers free before and after */
export async function moderationChecks(ctx, { a, b, c }) {
  const { report } = ctx;
  let room;
  await report.check('a fresh call for the room service', async () => {
    ({ room } = await twoInACall(ctx, a, b, 'moderation'));
  });
  const at = () => ({ ctx, report, room, service: ctx.service });
  await listChecks(at(), { a, b });
  await actionChecks(at(), { a, b, c });
  await refusalChecks(at());
  await endChecks(at(), { a, b });
  await leaveAll(a, b, c);
}

async function listChecks({ report, room, service }) {
  await report.check('ListRooms names the room and its participants', async () => {
    const found = await until('the room', async () => {
      const r = field(await service.call('ListRooms', {}), 'rooms').find((x) => x.name === room);
      return r && field(r, 'num_participants') === 2 && r;
    }, { ms: 10000, show: () => service.call('ListRooms', {}) });
    must(/^RM_/.test(found.sid), `room sid ${found.sid}`);
    const none = field(await service.call('ListRooms', { names: ['no-such-room'] }), 'rooms') ?? [];
    must(none.length === 0, 'the filter by name is ignored');
  });

  await report.check('ListParticipants and GetParticipant show states and tracks', async () => {
    const all = field(await service.call('ListParticipants', { room }), 'participants');
    must(all.map((p) => p.identity).sort().join() === 'alice,bob', `participants ${all.map((p) => p.identity)}`);
    const alice = await service.call('GetParticipant', { room, identity: 'alice' });
    must(/^PA_/.test(alice.sid) && alice.state === 'ACTIVE' && alice.name === 'Name of alice', `alice ${JSON.stringify(alice).slice(0, 300)}`);
    const sources = alice.tracks.map((t) => t.source).sort().join();
    must(sources === 'CAMERA,MICROPHONE', `tracks ${sources}`);
    must(alice.tracks.every((t) => /^TR_/.test(t.sid)), 'track sids');
    const nobody = await service.raw('GetParticipant', { room, identity: 'nobody' });
    must(nobody.status === 404 && nobody.body.code === 'not_found', `unknown participant: ${nobody.status} ${JSON.stringify(nobody.body)}`);
  });

  await report.check('CreateRoom makes a room, twice the same; DeleteRoom removes it', async () => {
    const name = roomName('made');
    const first = await service.call('CreateRoom', { name, empty_timeout: 60, metadata: 'm' });
    must(first.name === name && /^RM_/.test(first.sid), `made ${JSON.stringify(first)}`);
    const again = await service.call('CreateRoom', { name });
    must(again.sid === first.sid, 'a second CreateRoom made another room');
    must((field(await service.call('ListRooms', { names: [name] }), 'rooms') ?? []).length === 1, 'not listed');
    await service.call('DeleteRoom', { room: name });
    await until('the room to be gone', async () => !(field(await service.call('ListRooms', { names: [name] }), 'rooms') ?? []).length);
  });
}

async function actionChecks({ ctx, report, room, service }, { a, b, c }) {
  await report.check('SendData reaches everybody, or only the named ones; it has no sender', async () => {
    const data = (text) => Buffer.from(text).toString('base64');
    await service.call('SendData', { room, data: data('to bob'), kind: 'RELIABLE', topic: 'atalaya', destination_identities: ['bob'] });
    await service.call('SendData', { room, data: data('to all'), kind: 'RELIABLE', topic: 'atalaya' });
    for (const peer of [a, b]) {
      const got = await until('the message', async () => (await peer.call('data')).find((d) => d.text === 'to all'));
      must(got.from === null && got.topic === 'atalaya' && got.kind === 'RELIABLE', `came as ${JSON.stringify(got)}`);
    }
    must((await b.call('data')).some((d) => d.text === 'to bob'), 'bob missed his message');
    must(!(await a.call('data')).some((d) => d.text === 'to bob'), "alice got bob's message");
  });

  await report.check('MutePublishedTrack: sender and receiver know, frames stop, the sender may unmute', async () => {
    const { sid } = await sees(b, 'alice', 'camera');
    const [markA, markB] = [await a.call('mark'), await b.call('mark')];
    const answer = await service.call('MutePublishedTrack', { room, identity: 'alice', track_sid: sid, muted: true });
    must(field(answer, 'track')?.muted === true, `answer ${JSON.stringify(answer)}`);
    await event(a, 'muted', markA, (e) => e.identity === 'alice' && e.source === 'camera');
    await event(b, 'muted', markB, (e) => e.identity === 'alice' && e.source === 'camera');
    await stops(b, 'alice', 'camera');
    await a.call('camera', true);
    await framesRise(b, 'alice');
  });

  await report.check('MutePublishedTrack of an unknown track is a 4xx', async () => {
    const wrong = await service.raw('MutePublishedTrack', { room, identity: 'alice', track_sid: 'TR_nothing', muted: true });
    must(wrong.status >= 400 && wrong.status < 500, `unknown track answered ${wrong.status}`);
  }, { except: { livekit: 'LiveKit 1.13.5 answers 200 with an empty body' } });

  await report.check('RemoveParticipant: disconnected with its reason, without trying again; the others are told', async () => {
    await join(ctx, c, room, 'carol');
    await until('carol at alice', async () => (await a.call('identities')).includes('carol'));
    const [mark, sockets] = [await a.call('mark'), (await c.call('sockets')).count];
    await service.call('RemoveParticipant', { room, identity: 'carol' });
    const gone = await event(c, 'disconnected', 0);
    must(gone.reason === 'PARTICIPANT_REMOVED', `reason ${gone.reason}`);
    await event(a, 'left', mark, (e) => e.identity === 'carol', 3000);
    must((await c.call('sockets')).count === sockets, 'the removed client connected again');
    const nobody = await service.raw('RemoveParticipant', { room, identity: 'carol' });
    must(nobody.status === 404, `removing nobody answered ${nobody.status}`);
  });

  await report.check('the same identity again: the first is disconnected with DUPLICATE_IDENTITY, the second stays', async () => {
    await c.call('leave');
    await join(ctx, c, room, 'twin');
    const second = await ctx.browser.open();
    try {
      await join(ctx, second, room, 'twin');
      const gone = await event(c, 'disconnected', 0, (e) => e.reason !== 'CLIENT_INITIATED');
      must(gone.reason === 'DUPLICATE_IDENTITY', `reason ${gone.reason}`);
      await framesRise(second, 'alice');
      must((await a.call('identities')).filter((i) => i === 'twin').length === 1, 'the twin is not listed once');
      await second.call('leave');
    } finally {
      await second.close();
    }
  });
}

async function refusalChecks({ ctx, report, room, service }) {
  await report.check('the room service refuses: no token, a participant\'s token, another room, forged, expired', async () => {
    const cases = {
      'no token': null,
      "a participant's token": joinToken(ctx.pair, room, 'bob'),
      'an admin of another room': mint(ctx.pair, { identity: 'x', video: { roomAdmin: true, room: 'another' } }),
      'a forged token': mint({ ...ctx.pair, secret: 'not the secret, but also a long one, 0123456789' }, { identity: 'x', video: { roomAdmin: true, room } }),
      'an expired token': mint(ctx.pair, { identity: 'x', video: { roomAdmin: true, room }, ttl: -600 }),
    };
    for (const [name, token] of Object.entries(cases)) {
      for (const [method, body] of [['ListParticipants', { room }], ['RemoveParticipant', { room, identity: 'bob' }], ['DeleteRoom', { room }]]) {
        const { status, body: answer } = await service.raw(method, body, { token });
        must(status === 401 || status === 403, `${method} with ${name} answered ${status} ${JSON.stringify(answer)}`);
      }
    }
  });

  await report.check('the room service answers bad input with a 4xx and a Twirp code', async () => {
    const send = (path, body, type = 'application/json') =>
      fetch(`${ctx.http}/twirp/livekit.RoomService/${path}`, { method: 'POST', headers: { 'content-type': type, authorization: `Bearer ${service.adminToken(room)}` }, body });
    const cases = [await send('ListParticipants', '{broken'), await send('NoSuchCall', '{}'), await send('ListParticipants', '{"room": 5}'), await send('ListParticipants', '{}', 'text/plain')];
    for (const answer of cases) {
      must(answer.status >= 400 && answer.status < 500, `answered ${answer.status}`);
      must(typeof (await answer.json()).code === 'string', 'no code in the body');
    }
  });
}

async function endChecks({ report, room, service }, { a, b }) {
  await report.check('DeleteRoom: everybody is disconnected with ROOM_DELETED and the room is gone', async () => {
    const marks = [await a.call('mark'), await b.call('mark')];
    await service.call('DeleteRoom', { room });
    for (const [i, peer] of [a, b].entries()) {
      const gone = await event(peer, 'disconnected', marks[i]);
      must(gone.reason === 'ROOM_DELETED', `reason ${gone.reason}`);
    }
    await until('the room to be gone', async () => !(field(await service.call('ListRooms', { names: [room] }), 'rooms') ?? []).length);
  });
}
