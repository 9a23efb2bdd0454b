/** Video elements. Sized by CSS always: LiveKit's adaptive stream asks for the layer that fits the element. */
import type { RemoteVideoTrack } from 'livekit-client';
import { useEffect, useRef } from 'preact/hooks';

/** A track of this phone. */
export function TrackPicture({
  track,
  label,
  mirrored,
}: {
  track: MediaStreamTrack;
  label: string;
  mirrored: boolean;
}) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    element.muted = true;
    element.srcObject = new MediaStream([track]);
    element.play().catch(() => undefined);
    return () => {
      element.srcObject = null;
    };
  }, [track]);
  return (
    <video class={`own ${mirrored ? 'mirrored' : ''}`} ref={video} autoplay playsInline muted aria-label={label} />
  );
}

/** A picture that comes from the room: the adjuster's face, or their shared screen. */
export function RemotePicture({
  track,
  label,
  kind,
}: {
  track: RemoteVideoTrack;
  label: string;
  kind: 'face' | 'shared';
}) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    track.attach(element);
    return () => void track.detach(element);
  }, [track]);
  return <video class={kind} ref={video} autoplay playsInline muted aria-label={label} />;
}
