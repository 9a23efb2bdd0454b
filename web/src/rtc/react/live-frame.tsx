import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { LivePicture, type PictureSettings } from '../pointing/live-picture';
import classes from './live-frame.module.css';

interface LiveFrameProps {
  /** Gets the picture while it is there. */
  picture: RefObject<LivePicture | null>;
  settings: PictureSettings;
  /** Enlarged, so that a drag moves it. */
  zoomed: boolean;
  /** The video that fills the frame. */
  children: ReactNode;
}

/** A live picture that is enlarged and pointed at; it fills its positioned parent. */
export function LiveFrame({ picture, settings, zoomed, children }: LiveFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(settings);
  latest.current = settings;
  useEffect(() => {
    if (!frame.current) return;
    const made = new LivePicture(frame.current, latest.current);
    picture.current = made;
    return () => {
      picture.current = null;
      made.dispose();
      // Another picture is whole, and nobody points at it yet.
      latest.current.onScale(1);
      latest.current.onPointed(null);
    };
  }, [picture]);
  useEffect(() => picture.current?.set(settings));
  return (
    <div ref={frame} className={classes.frame} data-points={settings.pointsBy ?? undefined} data-zoomed={zoomed}>
      <div className={classes.inner}>{children}</div>
    </div>
  );
}
