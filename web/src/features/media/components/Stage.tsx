import { Button } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { useDownloads } from '../hooks/use-downloads';
import type { Layer } from '../hooks/use-marks';
import { isHeic, type ShownItem, shownUrl, type Turn, type View } from '../model';
import { Picture } from './Picture';
import classes from './Viewer.module.css';

interface StageProps {
  item: ShownItem;
  title: string;
  /** Counts tries to load, so that another one loads anew. */
  attempt: number;
  view: View;
  onView: (view: View) => void;
  turn: Turn;
  onSwipe: (step: 1 | -1) => void;
  onError: () => void;
  layers: readonly Layer[];
  video: RefObject<HTMLVideoElement | null>;
}

function Place({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName;
  title: string;
  text?: string;
  children?: ReactNode;
}) {
  return (
    <div className={classes.frame}>
      <div className={classes.center}>
        <Icon name={icon} size={28} />
        <b className={classes.placeTitle}>{title}</b>
        {text && <span className={classes.placeText}>{text}</span>}
        {children}
      </div>
    </div>
  );
}

/** A picture this browser cannot show and nobody made a preview of: it can still be had. */
export function HeicPlace({ item }: { item: ShownItem }) {
  const t = useT();
  const { download, downloading } = useDownloads();
  return (
    <Place icon="img" title={t('media.heicTitle')} text={t('media.heicText')}>
      <Button
        leftSection={<Icon name="dl" size={16} />}
        loading={downloading === item._id}
        onClick={() => void download(item)}
      >
        {t('common.download')}
      </Button>
    </Place>
  );
}

/** One file as large as its place: picture, video, a way to the document; or what became of it. */
export function Stage({ item, title, attempt, view, onView, turn, onSwipe, onError, layers, video }: StageProps) {
  const t = useT();
  const [unshowable, setUnshowable] = useState<string | null>(null);
  const url = shownUrl(item);
  if (url === null) {
    return (
      <Place
        icon="clock"
        title={t('media.expiredTitle')}
        text={`${t('media.expiredText')} ${t('media.expiredWhat')}`}
      />
    );
  }
  const again = url.includes('?') ? `&try=${attempt}` : `?try=${attempt}`;
  const src = attempt === 0 ? url : url + again;
  if (item.type === 'PICTURE') {
    const bare = isHeic(item) && !item.preview;
    if (bare && unshowable === item._id) return <HeicPlace item={item} />;
    const failed = bare ? () => setUnshowable(item._id) : onError;
    const props = { src, label: title, view, onView, turn, onSwipe, onError: failed, layers };
    return <Picture key={src} {...props} />;
  }
  if (item.type === 'VIDEO') {
    return (
      <div className={classes.frame}>
        {/* biome-ignore lint/a11y/useMediaCaption: the recording of a call has no captions. */}
        <video
          key={src}
          ref={video}
          className={classes.video}
          src={src}
          poster={item.thumbnail ?? undefined}
          controls
          playsInline
          preload="metadata"
          aria-label={title}
          onError={onError}
        />
      </div>
    );
  }
  return (
    <Place icon="doc" title={item.originalFileName || item.filename}>
      <Button
        component="a"
        href={item.url}
        target="_blank"
        rel="noopener noreferrer"
        leftSection={<Icon name="ext" size={16} />}
      >
        {t('common.openNewTab')}
      </Button>
    </Place>
  );
}
