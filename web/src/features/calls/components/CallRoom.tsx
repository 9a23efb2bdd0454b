import { useState } from 'react';
import type { Preview } from '@/shared/conference/preview';
import { type CallInput, useCall } from '../hooks/use-call';
import {
  CallDock,
  CallDoor,
  CallEnd,
  CallHead,
  CallPanel,
  CallPosition,
  CallStage,
  CallStrip,
  CallVoices,
} from './CallParts';
import classes from './CallRoom.module.css';

/** The screen of a call: header, picture, strip, dock and, beside them, the panel. */
export function CallRoom({ Preview, ...input }: CallInput & { Preview: Preview }) {
  const call = useCall(input);
  const [hangingUp, setHangingUp] = useState(false);
  const [positionOpen, setPositionOpen] = useState(false);
  const [preview, setPreview] = useState<string | null>(null);
  return (
    <div className={classes.call}>
      <CallHead call={call} />
      <div className={classes.stage}>
        <CallStage call={call} />
        <CallDoor call={call} />
        {positionOpen && <CallPosition call={call} onClose={() => setPositionOpen(false)} />}
      </div>
      <CallStrip call={call} onOpen={setPreview} />
      <CallDock
        call={call}
        positionOpen={positionOpen}
        onPosition={() => setPositionOpen((before) => !before)}
        onHangUp={() => setHangingUp(true)}
      />
      <CallPanel call={call} onOpen={setPreview} />
      <CallVoices people={call.people} />
      <CallEnd call={call} opened={hangingUp} onClose={() => setHangingUp(false)} />
      <Preview items={call.media} openId={preview} onOpen={setPreview} onClose={() => setPreview(null)} />
    </div>
  );
}
