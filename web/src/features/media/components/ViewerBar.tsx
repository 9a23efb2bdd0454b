import type { ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import { IconAction } from '@/shared/ui/IconAction';
import { useDownloads } from '../hooks/use-downloads';
import type { Marks } from '../hooks/use-marks';
import { KEY_ZOOM } from '../hooks/use-viewer-keys';
import type { ShownItem } from '../model';
import classes from './Viewer.module.css';

interface ViewerBarProps {
  item: ShownItem;
  /** `7 de 11`. */
  place: string;
  title: string;
  /** Shown whole: nothing to zoom out of. */
  whole: boolean;
  onZoom: (factor: number) => void;
  onRotate: () => void;
  onFullscreen: () => void;
  comparing: boolean;
  /** Absent when there is nothing to compare with. */
  onCompare?: () => void;
  /** Absent where nothing is drawn or measured. */
  marks: Marks | null;
  /** Absent where nothing can be measured. */
  onMeasure?: () => void;
  tools?: ReactNode;
}

/** Name and tools over the picture; what a kind of file cannot do is not offered. */
export function ViewerBar(props: ViewerBarProps) {
  const { item, place, title, whole, onZoom, onRotate, onFullscreen, comparing, onCompare, marks, onMeasure, tools } =
    props;
  const t = useT();
  const { download, downloading } = useDownloads();
  const picture = item.type === 'PICTURE' && !item.expired;
  return (
    <div className={classes.bar}>
      <span className={`${classes.title} num`}>
        {place} · <b>{title}</b>
      </span>
      <span className={classes.grow} />
      {picture && (
        <>
          <span className={classes.byPointer}>
            <IconAction
              className={classes.tool}
              icon="minus"
              label={t('media.zoomOut')}
              disabled={whole}
              onClick={() => onZoom(1 / KEY_ZOOM)}
            />
            <IconAction
              className={classes.tool}
              icon="zoom"
              label={t('media.zoomIn')}
              onClick={() => onZoom(KEY_ZOOM)}
            />
          </span>
          <IconAction className={classes.tool} icon="rotate" label={t('media.rotate')} onClick={onRotate} />
          {onCompare && (
            <IconAction
              className={classes.tool}
              icon="cols"
              label={comparing ? t('media.compareClose') : t('media.compare')}
              pressed={comparing}
              onClick={onCompare}
            />
          )}
        </>
      )}
      {onMeasure && <IconAction className={classes.tool} icon="ruler" label={t('media.measure')} onClick={onMeasure} />}
      {marks && (
        <>
          <IconAction
            className={classes.tool}
            icon="pen"
            label={marks.shown ? t('media.marksHide') : t('media.marksShow')}
            pressed={marks.shown}
            onClick={marks.toggle}
          />
          <IconAction
            className={classes.tool}
            icon="marked"
            label={t('media.marksExport')}
            loading={marks.exporting}
            onClick={() => void marks.exportCopy(item)}
          />
        </>
      )}
      {item.type === 'VIDEO' && !item.expired && (
        <IconAction className={classes.tool} icon="full" label={t('media.fullscreen')} onClick={onFullscreen} />
      )}
      {!item.expired && (
        <IconAction
          className={classes.tool}
          icon="dl"
          label={t('common.download')}
          loading={downloading === item._id}
          onClick={() => void download(item)}
        />
      )}
      {tools}
    </div>
  );
}
