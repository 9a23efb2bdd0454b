import { Button } from '@mantine/core';
import type { MediaItem } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { StateView } from '@/shared/ui/StateView';
import { sizeText } from '../format';
import { FILTERS, type Filter, filtered, totalSize } from '../model';
import { GalleryCell } from './GalleryCell';
import classes from './media.module.css';

interface GalleryProps {
  /** Everything, in gallery order. */
  items: MediaItem[];
  filter: Filter;
  onFilter: (filter: Filter) => void;
  currentId: string | null;
  onOpen: (id: string) => void;
  onZip: () => void;
  zipping: boolean;
}

/** The files of a conference with their counts, and all of them as one download. */
export function Gallery({ items, filter, onFilter, currentId, onOpen, onZip, zipping }: GalleryProps) {
  const t = useT();
  const language = useLanguage();
  const shown = filtered(items, filter);
  const words: Record<Filter, string> = {
    all: t('media.filterAll'),
    PICTURE: t('media.filterPictures'),
    VIDEO: t('media.filterVideos'),
    DOCUMENT: t('media.filterDocuments'),
  };
  return (
    <section className={classes.gallery} aria-label={t('media.title')}>
      <div className={classes.head}>
        <h1>{t('media.title')}</h1>
        <span className="num">{t('media.fileCount', { count: items.length })}</span>
      </div>
      <div className={classes.filters}>
        {FILTERS.map((one) => (
          <button
            key={one}
            type="button"
            className={classes.filter}
            aria-pressed={filter === one}
            onClick={() => onFilter(one)}
          >
            {words[one]} {one !== 'all' && <span className="num">{filtered(items, one).length}</span>}
          </button>
        ))}
      </div>
      <div className={classes.grid}>
        {shown.length === 0 && (
          <div className={classes.empty}>
            <StateView icon="img" title={items.length === 0 ? t('media.empty') : t('media.emptyFilter')} />
          </div>
        )}
        {shown.map((item) => (
          <GalleryCell
            key={item._id}
            item={item}
            items={items}
            current={item._id === currentId}
            onOpen={() => onOpen(item._id)}
          />
        ))}
      </div>
      {items.length > 0 && (
        <div className={classes.actions}>
          <Button variant="default" leftSection={<Icon name="dl" />} loading={zipping} onClick={onZip}>
            {t('common.downloadAll')}
            <span className={`${classes.size} num`}>{sizeText(totalSize(items), language)}</span>
          </Button>
        </div>
      )}
    </section>
  );
}
