/** Video elements. Sized by CSS always: LiveKit's adaptive stream asks for the layer that fits the element. */
import type { RemoteVideoTrack } from 'livekit-client';
import { useEffect, useRef } from 'preact/hooks';
import { LivePicture } from '../../src/rtc/pointing/live-picture';
import type { Pointing } from './pointing';

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

interface OwnPictureProps {
  track: MediaStreamTrack;
  label: string;
  mirrored: boolean;
  pointing: Pointing;
  /** Large enough to be touched and enlarged. */
  large: boolean;
  onScale: (scale: number) => void;
}

const TAKES_KEYS = 'input, textarea, select, dialog';

/** The keys of a large picture, until the answer is called. */
export function withKeys(picture: LivePicture): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if ((event.target as Element).closest?.(TAKES_KEYS) || document.querySelector('dialog[open]')) return;
    if (picture.press(event.key, event.shiftKey)) event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** The own camera with the dots of whoever points at it; large, a finger points and two enlarge. */
export function OwnPicture({ track, label, mirrored, pointing, large, onScale }: OwnPictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const settings = {
    fit: 'cover' as const,
    mirrored,
    pointsBy: large ? ('touch' as const) : null,
    send: pointing.send,
    look: (from: string | null) =>
      from === null ? { name: '', tone: 'client' as const } : { name: pointing.nameOf(from), tone: 'staff' as const },
    onScale,
    onPointed: () => undefined,
  };
  useEffect(() => {
    if (!frame.current) return;
    const picture = new LivePicture(frame.current, settings);
    pointing.picture = picture;
    const withoutKeys = large ? withKeys(picture) : undefined;
    return () => {
      withoutKeys?.();
      pointing.picture = null;
      picture.dispose();
      onScale(1);
    };
  }, [large]);
  useEffect(() => pointing.picture?.set(settings));
  return (
    <div class="frame" ref={frame}>
      <div class="inner">
        <TrackPicture track={track} label={label} mirrored={mirrored} />
      </div>
    </div>
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
