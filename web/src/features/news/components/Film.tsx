import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { filmOf, pictureOf, type Scheme, type Slide } from '../slides';
import classes from './NewsDialog.module.css';

interface FilmProps {
  slide: Slide;
  scheme: Scheme;
  alt: string;
}

/** The slide's picture, or its film: once, without sound, and not at all for those who asked for less motion. */
export function Film({ slide, scheme, alt }: FilmProps) {
  const t = useT();
  const still = useMediaQuery('(prefers-reduced-motion: reduce)', undefined, { getInitialValueInEffect: false });
  const film = still ? undefined : filmOf(slide, scheme);
  const [source, setSource] = useState<string>();
  const [ended, setEnded] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (!film) return;
    const stop = new AbortController();
    let made: string | undefined;
    // Read whole and played from memory: Safari plays no film that the server does not cut into ranges.
    window
      .fetch(film, { signal: stop.signal })
      .then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error(String(answer.status)))))
      .then((blob) => {
        made = URL.createObjectURL(new Blob([blob], { type: 'video/webm' }));
        setSource(made);
      })
      // Without the film its picture stays.
      .catch(() => undefined);
    return () => {
      stop.abort();
      if (made) URL.revokeObjectURL(made);
      setSource(undefined);
      setEnded(false);
    };
  }, [film]);
  const picture = pictureOf(slide, scheme);
  if (!source) return <img src={picture} alt={alt} width={1280} height={720} draggable={false} />;
  return (
    <>
      <video
        ref={video}
        src={source}
        poster={picture}
        aria-label={alt}
        width={1280}
        height={720}
        muted
        autoPlay
        playsInline
        onEnded={() => setEnded(true)}
        onError={() => setSource(undefined)}
      />
      {ended && (
        <button
          type="button"
          className={classes.replay}
          onClick={() => {
            setEnded(false);
            void video.current?.play();
          }}
        >
          <Icon name="play" size={16} />
          {t('news.replay')}
        </button>
      )}
    </>
  );
}
