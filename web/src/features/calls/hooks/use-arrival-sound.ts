import { useEffect, useRef, useState } from 'react';

const KEY = 'callSound';

/** Two short tones, made here: no file to load. */
function chime(): void {
  const context = new AudioContext();
  const play = (hertz: number, at: number) => {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, context.currentTime + at);
    volume.gain.exponentialRampToValueAtTime(0.2, context.currentTime + at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + at + 0.25);
    tone.connect(volume).connect(context.destination);
    tone.start(context.currentTime + at);
    tone.stop(context.currentTime + at + 0.3);
  };
  play(660, 0);
  play(880, 0.18);
  window.setTimeout(() => void context.close(), 1_000);
}

/** A sound when the client comes in, so that an adjuster in another window notices. Remembered. */
export function useArrivalSound(clientIn: boolean): { on: boolean; set: (on: boolean) => void } {
  const [on, setOn] = useState(() => window.localStorage.getItem(KEY) !== 'off');
  const was = useRef(clientIn);
  useEffect(() => {
    const arrived = clientIn && !was.current;
    was.current = clientIn;
    if (!arrived || !on || typeof window.AudioContext !== 'function') return;
    try {
      chime();
    } catch {
      // Without a sound device the picture tells enough.
    }
  }, [clientIn, on]);
  const set = (next: boolean) => {
    window.localStorage.setItem(KEY, next ? 'on' : 'off');
    setOn(next);
  };
  return { on, set };
}
