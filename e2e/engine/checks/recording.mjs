/** The embedded engine's recordings (written without transcoding), its end, and its crash. Only with an engine started here. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join as path } from 'node:path';
import { event, framesRise, leaveAll, twoInACall } from '../lib/call.mjs';
import { must, pause, until } from '../lib/report.mjs';
import { startEmbedded } from '../servers.mjs';

/** What ffprobe finds in a file: codecs, frames counted by decoding, the time of the last picture in seconds. */
function probe(file) {
  const run = spawnSync('ffprobe', ['-v', 'error', '-count_frames', '-show_streams', '-show_packets', '-of', 'json', file], { encoding: 'utf8', timeout: 20000, maxBuffer: 64e6 });
  must(run.status === 0, `ffprobe ${file}: ${run.stderr?.slice(0, 300)}`);
  const { streams, packets } = JSON.parse(run.stdout);
  const of = (kind) => streams.find((s) => s.codec_type === kind);
  return {
    errors: run.stderr.trim(), last: Math.max(0, ...packets.filter((p) => p.codec_type === 'video').map((p) => Number(p.pts_time))),
    video: of('video') && { codec: of('video').codec_name, frames: Number(of('video').nb_read_frames), width: of('video').width },
    audio: of('audio') && { codec: of('audio').codec_name, frames: Number(of('audio').nb_read_frames) },
  };
}

const control = async (engine, room, action) => {
  const answer = await fetch(`${engine.http}/recording/${room}/${action}`, { method: 'POST' });
  return { status: answer.status, text: await answer.text() };
};
const done = async (engine, room, action) => {
  const { status, text } = await control(engine, room, action);
  must(status === 200, `${action} answered ${status} ${text}`);
};

/** The files of one person that hold media, largest first. */
const filesOf = (folder, room, identity) =>
  readdirSync(folder).filter((f) => f.includes(room.replace(/[^a-z0-9]/gi, '_')) && f.includes(`-${identity}-`)).map((f) => path(folder, f)).filter((f) => statSync(f).size > 0);

/** @param {object} ctx @param {{a: any, b: any}} peers free before and after */
export async function recordingChecks(ctx, { a, b }) {
  const { report } = ctx;
  if (!ctx.recordings) {
    report.group('recordings, end and crash of the engine', ctx.engine === 'livekit' ? "LiveKit records with its separate Egress service" : 'the engine was not started by the suite (--start)');
    return;
  }
  await report.check('recording with a pause: files decode, hold nothing of the pause', () => pausedRecording(ctx, { a, b }), { ms: 60000 });
  await leaveAll(a, b);
  await report.check('killed in the middle of a recording: the file plays up to the last second', () => crashed(ctx, { a, b }), { ms: 60000 });
  await leaveAll(a, b);
  await report.check('the engine ends: the people in a call are told (SERVER_SHUTDOWN)', () => shutDown(ctx, { a, b }), { ms: 30000 });
  await leaveAll(a, b);
}

async function pausedRecording(ctx, { a, b }) {
  const { room } = await twoInACall(ctx, a, b, 'recording');
  const again = async (action) => (await control(ctx, room, action)).status;
  must((await again('pause')) === 409 && (await again('stop')) === 409, 'pause or stop without a recording is not refused');
  await done(ctx, room, 'start');
  must((await again('start')) === 409, 'a second start is not refused');
  await pause(4000);
  await done(ctx, room, 'pause');
  await pause(3000);
  await done(ctx, room, 'resume');
  await pause(3000);
  await done(ctx, room, 'stop');
  const notes = [];
  for (const identity of ['alice', 'bob']) {
    const files = await until(`files of ${identity}`, () => filesOf(ctx.recordings, room, identity).length && filesOf(ctx.recordings, room, identity));
    const found = files.map((f) => ({ f, ...probe(f) }));
    const film = found.find((x) => x.video);
    must(film && found.some((x) => x.audio), `no video or no sound among ${files.join(', ')}`);
    must(found.every((x) => x.errors === ''), `decoding complained: ${found.map((x) => x.errors).join(' ').slice(0, 300)}`);
    must(film.video.codec === 'vp8' && found.find((x) => x.audio).audio.codec === 'opus', 'codecs');
    const sound = found.find((x) => x.audio).audio.frames;
    // 7 s were recorded of 10 s; 50 audio packets a second. The pause of 3 s would show as 150 packets more.
    must(sound > 250 && sound < 430, `${sound} audio packets in 7 s of recording`);
    must(film.video.frames > 60, `${film.video.frames} video frames`);
    // The engine's file grows while it is written, so it names no duration; whoever stores it finishes it (crate webm).
    must(film.last > 5 && film.last < 11, `last picture at ${film.last} s`);
    notes.push(`${identity} ${film.video.frames} frames ${film.video.width} wide, ${sound} audio packets, last picture at ${film.last.toFixed(1)} s`);
  }
  return notes.join('; ');
}

async function crashed(ctx, { a, b }) {
  const engine = await startEmbedded({ binary: ctx.binary, address: new URL(ctx.http).hostname, port: Number(new URL(ctx.http).port) + 4 });
  try {
    const { room } = await twoInACall({ ...ctx, ...engine }, a, b, 'crash');
    await done(engine, room, 'start');
    const from = (await b.call('inbound', 'alice', 'camera')).frames;
    await pause(6000);
    const sent = (await b.call('inbound', 'alice', 'camera')).frames - from;
    process.kill(engine.pid, 'SIGKILL');
    await until('the file', () => filesOf(engine.recordings, room, 'alice').length > 0);
    const found = filesOf(engine.recordings, room, 'alice').map((f) => probe(f));
    const frames = found.find((x) => x.video)?.video.frames ?? 0;
    const sound = found.find((x) => x.audio)?.audio.frames ?? 0;
    must(frames > 0 && frames >= sent - 20, `${frames} frames in the file, ${sent} were forwarded`);
    must(sound > 240, `${sound} audio packets in 6 s`);
    return `${frames} frames of ${sent}, ${sound} audio packets`;
  } finally {
    await engine.close();
  }
}

async function shutDown(ctx, { a, b }) {
  await twoInACall(ctx, a, b, 'end');
  const mark = await a.call('mark');
  const started = Date.now();
  process.kill(ctx.pid, 'SIGINT');
  const gone = await event(a, 'disconnected', mark, () => true, 10000);
  must(gone.reason === 'SERVER_SHUTDOWN', `reason ${gone.reason}`);
  await until('the process to end', () => spawnSync('kill', ['-0', String(ctx.pid)]).status !== 0, { ms: 8000 });
  return `told after ${Date.now() - started} ms at most`;
}
