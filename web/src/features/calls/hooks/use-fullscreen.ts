import { useEffect, useState } from 'react';

/** The whole window on the whole screen. `supported` is false on iPhones, where only a video can. */
export function useFullscreen(): { supported: boolean; on: boolean; toggle: () => void } {
  const [on, setOn] = useState(() => Boolean(document.fullscreenElement));
  useEffect(() => {
    const follow = () => setOn(Boolean(document.fullscreenElement));
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, []);
  const toggle = () => {
    // A refusal (no gesture, a policy) leaves things as they are; the event tells what really happened.
    const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    void done.catch(() => undefined);
  };
  return { supported: document.fullscreenEnabled === true, on, toggle };
}
