/** Tokens: refused ones are refused clearly and without a loop; rights in them are kept by the engine, not by the client. */
import { event, framesRise, join, leaveAll, roomName } from '../lib/call.mjs';
import { must, pause, until } from '../lib/report.mjs';
import { joinToken, mint, tampered } from '../lib/token.mjs';
import { joinRequest } from '../lib/join-request.mjs';

const OTHER_SECRET = 'not the secret, but also a long one, 0123456789';

/** Tokens that must never open a session. */
function badTokens(pair, room) {
  return {
    expired: joinToken(pair, room, 'eve', {}, { ttl: -600 }),
    forged: joinToken({ ...pair, secret: OTHER_SECRET }, room, 'eve'),
    'of an unknown key': joinToken({ key: 'unknown-key', secret: pair.secret }, room, 'eve'),
    tampered: tampered(joinToken(pair, room, 'eve')),
    'of algorithm none': joinToken(pair, room, 'eve', {}, { alg: 'none' }),
    'without roomJoin': mint(pair, { identity: 'eve', video: { roomJoin: false, room } }),
    'that is no token': 'abc',
  };
}

/** @param {object} ctx @param {{a: any, b: any}} peers free before and after */
export async function rightsChecks(ctx, { a, b }) {
  await refusalChecks(ctx, a);
  const room = roomName('rights');
  await publishChecks(ctx, { a, b, room });
  await leaveAll(a, b);
}

async function refusalChecks(ctx, a) {
  const { report } = ctx;
  const room = roomName('refused');

  await report.check('/rtc/v1/validate and /rtc/validate: 401 or 403 for a bad token, never 404 (ENGINE-2)', async () => {
    const seen = [];
    const request = `&auto_subscribe=1&join_request=${encodeURIComponent(joinRequest())}`;
    for (const path of ['/rtc/v1/validate', '/rtc/validate']) {
      for (const [name, token] of Object.entries({ none: '', ...badTokens(ctx.pair, room) })) {
        const answer = await fetch(`${ctx.http}${path}?access_token=${encodeURIComponent(token)}${request}`);
        const text = await answer.text();
        must(answer.status === 401 || answer.status === 403 || (path === '/rtc/validate' && answer.status !== 404 && answer.status >= 400 && answer.status < 500), `${path}, token ${name}: ${answer.status} ${text.slice(0, 80)}`);
        if (path === '/rtc/v1/validate') must(text.length > 0, `${path}, token ${name}: empty body; the client shows it`);
      }
      const good = await fetch(`${ctx.http}${path}?access_token=${joinToken(ctx.pair, room, 'ann')}${request}`);
      must(good.status !== 404 && good.status < 500, `${path}, good token: ${good.status}`);
      seen.push(`${path} ${good.status}`);
    }
    return `with a good token: ${seen.join(', ')}`;
  });

  for (const name of ['expired', 'forged', 'of an unknown key', 'without roomJoin']) {
    await report.check(`a token ${name} is refused: clear error, few attempts, no loop`, async () => {
      const before = (await a.call('sockets')).count;
      const outcome = await a.call('join', { url: ctx.url, token: badTokens(ctx.pair, room)[name] });
      must(!outcome.ok, 'it was let in');
      must(outcome.error.reason === 'NotAllowed', `error ${JSON.stringify(outcome.error)}`);
      must(outcome.error.status === 401 || outcome.error.status === 403, `status ${outcome.error.status}`);
      must(outcome.ms < 6000, `took ${Math.round(outcome.ms)} ms`);
      await pause(600); // a loop would show itself here: the client's first retry comes within 500 ms
      const attempts = (await a.call('sockets')).count - before;
      must(attempts <= 2, `${attempts} websocket attempts`);
      return `${outcome.error.status} "${outcome.error.message.slice(0, 60)}", ${attempts} attempt(s), ${Math.round(outcome.ms)} ms`;
    });
  }
}

async function publishChecks(ctx, { a, b, room }) {
  const { report } = ctx;
  /** Joins alice with these grants, then lets the client believe it may do everything. */
  const restricted = async (grants) => {
    await a.call('leave');
    await join(ctx, a, room, 'alice', { grants });
    const told = await a.call('permissions');
    await a.call('pretendAllowed');
    return told;
  };

  await report.check('without canPublish nothing can be published, whatever the client believes', async () => {
    await join(ctx, b, room, 'bob');
    await b.call('camera', true);
    const told = await restricted({ canPublish: false });
    must(told.publish === false, `the client was told ${JSON.stringify(told)}`);
    const mark = await b.call('mark');
    const outcome = await Promise.race([a.call('camera', true), pause(5000).then(() => 'no answer')]);
    must((await b.events('published', mark)).length === 0, 'the track was announced to the others');
    await framesRise(a, 'bob'); // it still may see and hear
    must(((await b.call('remote', 'alice'))?.tracks ?? []).length === 0, 'a track is listed');
    return outcome === 'no answer' ? 'the engine did not answer the request' : outcome.message ?? JSON.stringify(outcome);
  });

  await report.check('canPublishSources: microphone allowed, camera refused', async () => {
    await restricted({ canPublishSources: ['microphone'] });
    const mark = await b.call('mark');
    must((await a.call('microphone', true)) === true, 'the microphone was refused');
    await event(b, 'published', mark, (e) => e.source === 'microphone');
    await Promise.race([a.call('camera', true), pause(3000)]);
    must(!(await b.events('published', mark)).some((e) => e.source === 'camera'), 'the camera was announced');
  });

  await report.check('without canPublishData no data message gets through', async () => {
    await restricted({ canPublishData: false });
    await until('alice at bob', async () => (await b.call('identities')).includes('alice'));
    await Promise.race([a.call('send', 'forbidden').catch(() => {}), pause(2000)]);
    await a.page.evaluate(() => Promise.race([window.h.send('forbidden lossy', { reliable: false }).catch(() => {}), new Promise((r) => setTimeout(r, 1000))]));
    // Anything let through would arrive before this: bob's own round trip through the room service comes later.
    await ctx.service.call('SendData', { room, data: Buffer.from('barrier').toString('base64'), kind: 'RELIABLE' });
    await until('the barrier', async () => (await b.call('data')).some((d) => d.text === 'barrier'));
    await pause(300);
    must(!(await b.call('data')).some((d) => d.text?.startsWith('forbidden')), 'the message arrived');
  });

  await report.check('without canSubscribe no track is received', async () => {
    await restricted({ canSubscribe: false });
    await until('bob at alice', async () => (await a.call('identities')).includes('bob'));
    await until('alice at bob', async () => (await b.call('identities')).includes('alice'));
    must((await a.call('camera', true)) === true, 'publishing was refused');
    await framesRise(b, 'alice');
    must((await a.events('subscribed')).length === 0, 'a track was received');
  });
}
