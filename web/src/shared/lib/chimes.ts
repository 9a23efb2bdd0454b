// The two sounds as samples, so that they can be looped by the browser and looked at by tests.

interface Note {
  /** Hertz. */
  pitch: number;
  /** Seconds from the beginning. */
  at: number;
  /** Seconds until it has died away. */
  length: number;
}

/** A soft bell: the note and its octave, quick to come, slow to go. Never above `loudness`. */
function chime(rate: number, seconds: number, loudness: number, notes: readonly Note[]): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.ceil(seconds * rate));
  for (const { pitch, at, length } of notes) {
    const first = Math.round(at * rate);
    const last = Math.min(samples.length, first + Math.round(length * rate));
    for (let i = first; i < last; i += 1) {
      const t = (i - first) / rate;
      const rise = Math.min(1, t / 0.008);
      // Reaches 0 at the end, so that nothing clicks.
      const fall = Math.exp((-5 * t) / length) * (1 - t / length);
      const wave = Math.sin(2 * Math.PI * pitch * t) + 0.35 * Math.sin(4 * Math.PI * pitch * t);
      samples[i] = (samples[i] ?? 0) + (loudness / 2.7) * rise * fall * wave;
    }
  }
  return samples;
}

/** Somebody waits: three rising notes, twice, then a pause; made to be repeated. */
export const alarmSamples = (rate: number) =>
  chime(
    rate,
    3.2,
    0.9,
    [0, 0.75].flatMap((from) => [
      { pitch: 659.26, at: from, length: 0.5 },
      { pitch: 783.99, at: from + 0.14, length: 0.5 },
      { pitch: 1046.5, at: from + 0.28, length: 0.9 },
    ]),
  );

/** A notification: two notes, once. */
export const noticeSamples = (rate: number) =>
  chime(rate, 0.9, 0.5, [
    { pitch: 880, at: 0, length: 0.5 },
    { pitch: 1174.66, at: 0.12, length: 0.75 },
  ]);
