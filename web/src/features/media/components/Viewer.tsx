import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { MediaItem } from '@/api/types';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { mediaFailure } from '../errors';
import { useDownloads } from '../hooks/use-downloads';
import { neighbour, type View, WHOLE, zoomAt } from '../model';
import { itemTitle } from '../texts';
import { Picture } from './Picture';
import classes from './Viewer.module.css';

interface ViewerProps {
  /** In gallery order. */
  items: MediaItem[];
  item: MediaItem;
  onItem: (id: string) => void;
  /** More tools at the right end: enlarge, facts, close. */
  tools?: ReactNode;
}

/** One file large, with its neighbours an arrow away. */
export function Viewer({ items, item, onItem, tools }: ViewerProps) {
  const t = useT();
  const [view, setView] = useState<View>(WHOLE);
  const [attempt, setAttempt] = useState(0);
  const video = useRef<HTMLVideoElement>(null);
  const { download, downloading } = useDownloads();
  const step = (by: 1 | -1) => {
    const next = neighbour(items, item._id, by);
    if (next) onItem(next._id);
  };
  const failed = () => mediaFailure(t, 'openError', null, () => setAttempt((n) => n + 1));
  const src = attempt === 0 ? item.url : `${item.url}?try=${attempt}`;
  const title = itemTitle(t, item, items);
  const position = items.findIndex((one) => one._id === item._id) + 1;
  return (
    <section className={classes.viewer} aria-label={t('media.preview')}>
      <div className={classes.bar}>
        <span className={`${classes.title} num`}>
          {t('media.nOf', { n: position, total: items.length })} · <b>{title}</b>
        </span>
        <span className={classes.grow} />
        {item.type === 'PICTURE' && (
          <>
            <IconAction
              className={classes.tool}
              icon="minus"
              label={t('media.zoomOut')}
              disabled={view.scale === 1}
              onClick={() => setView(zoomAt(view, 1 / 1.5))}
            />
            <IconAction
              className={classes.tool}
              icon="zoom"
              label={t('media.zoomIn')}
              onClick={() => setView(zoomAt(view, 1.5))}
            />
          </>
        )}
        {item.type === 'VIDEO' && (
          <IconAction
            className={classes.tool}
            icon="full"
            label={t('media.fullscreen')}
            onClick={() => void video.current?.requestFullscreen().catch(() => undefined)}
          />
        )}
        <IconAction
          className={classes.tool}
          icon="dl"
          label={t('common.download')}
          loading={downloading === item._id}
          onClick={() => void download(item)}
        />
        {tools}
      </div>
      {item.type === 'PICTURE' && (
        <Picture key={src} src={src} label={title} view={view} onView={setView} onSwipe={step} onError={failed} />
      )}
      {item.type === 'VIDEO' && (
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
            onError={failed}
          />
        </div>
      )}
      {item.type === 'DOCUMENT' && (
        <div className={classes.frame}>
          <div className={classes.center}>
            <Icon name="doc" size={28} />
            <span>{item.originalFileName || item.filename}</span>
            <Button
              component="a"
              href={item.url}
              target="_blank"
              rel="noopener noreferrer"
              leftSection={<Icon name="ext" size={16} />}
            >
              {t('common.openNewTab')}
            </Button>
          </div>
        </div>
      )}
      {items.length > 1 && (
        <>
          <button
            type="button"
            className={classes.step}
            data-side="left"
            aria-label={t('common.previous')}
            onClick={() => step(-1)}
          >
            <Icon name="left" />
          </button>
          <button
            type="button"
            className={classes.step}
            data-side="right"
            aria-label={t('common.next')}
            onClick={() => step(1)}
          >
            <Icon name="right" />
          </button>
        </>
      )}
      <div className={classes.foot}>
        <span>{t('media.originalKept')}</span>
        <span className={classes.keys} aria-hidden="true">
          <kbd>←</kbd>
          <kbd>→</kbd>
        </span>
      </div>
    </section>
  );
}
