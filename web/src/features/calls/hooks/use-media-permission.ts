import { useCallback, useEffect, useState } from 'react';

export type PermissionAnswer = 'granted' | 'prompt' | 'denied' | 'unknown';

/** The browser's standing answer for camera and microphone, followed live; `ask` raises its question now. */
export function useMediaPermission(): { state: PermissionAnswer; ask: () => Promise<void> } {
  const [state, setState] = useState<PermissionAnswer>('unknown');

  const read = useCallback(async () => {
    try {
      const answers = await Promise.all(
        ['camera', 'microphone'].map((name) => navigator.permissions.query({ name: name as PermissionName })),
      );
      const states = answers.map((one) => one.state);
      setState(states.includes('denied') ? 'denied' : states.includes('prompt') ? 'prompt' : 'granted');
      for (const answer of answers) answer.onchange = () => void read();
    } catch {
      // Browsers without these names: the question comes when the client enters.
      setState('unknown');
    }
  }, []);
  useEffect(() => void read(), [read]);

  const ask = useCallback(async () => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true });
      for (const track of stream.getTracks()) track.stop();
    } catch {
      // The answer shows in `state`; a missing device is told when the client enters.
    }
    await read();
  }, [read]);
  return { state, ask };
}
