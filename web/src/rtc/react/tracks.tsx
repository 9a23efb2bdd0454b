import clsx from 'clsx';
import { useEffect, useRef } from 'react';
import type { TrackPort } from '../core/ports';
import classes from './tracks.module.css';

interface TrackVideoProps {
  track: TrackPort;
  label: string;
  fit?: 'contain' | 'cover';
  /** Own face only: people expect a mirror. */
  mirrored?: boolean;
  /** The size of the arriving picture in px, told when it changes. */
  onSize?: (width: number, height: number) => void;
}

/** A live picture that fills its positioned parent. */
export function TrackVideo({ track, label, fit = 'contain', mirrored = false, onSize }: TrackVideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const video = element.current;
    if (!video) return;
    track.attach(video);
    return () => {
      track.detach(video);
    };
  }, [track]);
  return (
    <video
      ref={element}
      className={clsx(classes.video, classes[fit], mirrored && classes.mirrored)}
      aria-label={label}
      autoPlay
      playsInline
      muted
      onResize={(event) => onSize?.(event.currentTarget.videoWidth, event.currentTarget.videoHeight)}
    />
  );
}

/** A remote voice. Nothing to see; never muted here, muting is the sender's or the server's act. */
export function TrackAudio({ track }: { track: TrackPort }) {
  const element = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const audio = element.current;
    if (!audio) return;
    track.attach(audio);
    return () => {
      track.detach(audio);
    };
  }, [track]);
  // biome-ignore lint/a11y/useMediaCaption: a live voice has no captions.
  return <audio ref={element} autoPlay />;
}
