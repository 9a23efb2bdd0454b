import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { MediaItem } from '@/api/types';
import type { Still } from '@/rtc';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { stillFailure } from '../problems';
import classes from './PhotoStrip.module.css';

interface PhotoStripProps {
  className?: string;
  /** Capture order. */
  pictures: MediaItem[];
  videoCount: number;
  /** Stills on their way or failed. */
  stills: Still[];
  onOpen: (item: MediaItem) => void;
  onDismiss: (id: string) => void;
  onSeeAll: () => void;
}

function RunningStill({ still, onDismiss }: { still: Still; onDismiss: (id: string) => void }) {
  const t = useT();
  if (still.state === 'failed') {
    const why = stillFailure(t, still.reason);
    return (
      <button
        type="button"
        className={classes.thumb}
        data-failed
        title={t('call.stillDismiss')}
        onClick={() => onDismiss(still.id)}
      >
        <span className={classes.failure}>{why}</span>
      </button>
    );
  }
  const percent = Math.round(still.percent);
  const words = still.state === 'uploading' ? t('call.stillPercent', { percent }) : t('call.stillCapturing');
  return (
    <div className={classes.thumb} data-running>
      <Icon name="cam" size={24} />
      <span className={`${classes.number} num`}>{words}</span>
      <span
        className={classes.bar}
        style={{ width: `${percent}%` }}
        role="progressbar"
        aria-label={words}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      />
    </div>
  );
}

/** The pictures of the call as they arrive, newest at the right end. */
export function PhotoStrip({ className, pictures, videoCount, stills, onOpen, onDismiss, onSeeAll }: PhotoStripProps) {
  const t = useT();
  const list = useRef<HTMLDivElement>(null);
  const total = pictures.length + stills.length;
  useEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [total]);
  return (
    <section className={`${classes.strip} ${className ?? ''}`} aria-label={t('call.photosTaken')}>
      <div className={`${classes.count} num`}>
        <b>{t('call.photoCount', { count: pictures.length })}</b>
        <span>{t('call.videoCount', { count: videoCount })}</span>
      </div>
      <div className={classes.list} ref={list}>
        {total === 0 && <span className={classes.hint}>{t('call.photosNone')}</span>}
        {pictures.map((item, index) => (
          <button
            key={item._id}
            type="button"
            className={classes.thumb}
            onClick={() => onOpen(item)}
            aria-label={t('call.photoN', { n: index + 1 })}
          >
            {item.thumbnail && <img src={item.thumbnail} alt="" />}
            <span className={`${classes.number} num`}>{index + 1}</span>
          </button>
        ))}
        {stills.map((still) => (
          <RunningStill key={still.id} still={still} onDismiss={onDismiss} />
        ))}
      </div>
      <Button
        className={classes.all}
        variant="default"
        size="xs"
        leftSection={<Icon name="img" size={16} />}
        onClick={onSeeAll}
        aria-label={t('call.seeAll')}
      >
        <span className={classes.allText}>{t('call.seeAll')}</span>
      </Button>
    </section>
  );
}
