import { useEffect } from 'react';
import { type CallEngine, useReadable } from '@/rtc';
import { tellConnection } from '../api';

/** How the media of both sides come and what fails; ours is told to the server as long as the call is shown. */
export function useConnection(engine: CallEngine, conferenceId: string) {
  useEffect(() => {
    engine.path.start((report) => tellConnection(conferenceId, report));
    return () => engine.path.stop();
  }, [engine, conferenceId]);
  const mine = useReadable(engine.path.diagnosis);
  const { path: theirs } = useReadable(engine.client.state);
  return { mine, theirs };
}
