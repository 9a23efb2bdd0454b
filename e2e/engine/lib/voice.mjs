/** A voice-like sound file for Chromium's fake microphone: Chromium's own beep is too short to count as speaking. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RATE = 48000;
const SECONDS = 4;

/** Harmonics of 140 Hz in "syllables" of a third of a second with short gaps, as 16-bit mono samples. */
function samples() {
  const out = Buffer.alloc(RATE * SECONDS * 2);
  for (let i = 0; i < RATE * SECONDS; i += 1) {
    const t = i / RATE;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 1.5 * t)) ** 0.3;
    let value = 0;
    for (let k = 1; k <= 12; k += 1) value += Math.sin(2 * Math.PI * 140 * k * t + k) / k;
    out.writeInt16LE(Math.round(7000 * syllable * value), i * 2);
  }
  return out;
}

/** Writes the file once per process. @returns {string} its path */
export function voiceFile() {
  const data = samples();
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20); // PCM
  head.writeUInt16LE(1, 22); // one channel
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  const path = join(mkdtempSync(join(tmpdir(), 'atalaya-voice-')), 'voice.wav');
  writeFileSync(path, Buffer.concat([head, data]));
  return path;
}
