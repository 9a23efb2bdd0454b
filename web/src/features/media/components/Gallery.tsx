import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Conference } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { requestFilesInput, showsRequestFiles } from '@/shared/lib/file-requests';
import { sizeText } from '@/shared/lib/format';
import { openModal } from '@/shared/lib/modals';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Plate } from '@/shared/ui/Plate';
import { StateView } from '@/shared/ui/StateView';
import { FILTERS, type Filter, filtered, type ShownItem, totalSize } from '../model';
import { GalleryCell } from './GalleryCell';
import classes from './media.module.css';

interface GalleryProps {
  conference: Conference;
  /** Everything, in gallery order. */
  items: ShownItem[];
  filter: Filter;
  onFilter: (filter: Filter) => void;
  currentId: string | null;
  onOpen: (id: string) => void;
  onZip: () => void;
  zipping: boolean;
  /** The pictures as a document; absent for who only reads. */
  onReport?: () => void;
  reporting: boolean;
  /** The same with the marks on the pictures; absent where nothing is drawn. */
  onMarkedReport?: () => void;
  markedReporting: boolean;
  /** The certificate, where there is no column of facts. */
  evidence?: ReactNode;
}

/** The files of a conference with their counts, and all of them as one download. */
export function Gallery(props: GalleryProps) {
  const { conference, items, filter, onFilter, currentId, onOpen, onZip, zipping, onReport, reporting, evidence } =
    props;
  const t = useT();
  const language = useLanguage();
  const shown = filtered(items, filter);
  const there = items.filter((one) => !one.expired);
  // True or the text 'true'.
  const requested = String(conference.filesRequested) === 'true';
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
      <div className={classes.case}>
        <b>
          <CaseNumber number={conference.expedientNumber} />
        </b>
        {conference.carId && <Plate plate={conference.carId} />}
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
      {items.length > 0 && there.length === 0 && (
        <Note icon="clock" title={t('media.expiredAll')} text={`${t('media.expiredText')} ${t('media.expiredWhat')}`} />
      )}
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
      <div className={classes.actions}>
        {evidence}
        {there.length > 0 && (
          <Button variant="default" leftSection={<Icon name="dl" />} loading={zipping} onClick={onZip}>
            {t('common.downloadAll')}
            <span className={`${classes.size} num`}>{sizeText(totalSize(there), language)}</span>
          </Button>
        )}
        {onReport && (
          <Button
            variant="default"
            leftSection={<Icon name="doc" />}
            disabled={!there.some(({ type }) => type === 'PICTURE')}
            loading={reporting}
            onClick={onReport}
          >
            {t('media.photoReport')}
          </Button>
        )}
        {props.onMarkedReport && (
          <Button
            variant="default"
            leftSection={<Icon name="pen" />}
            loading={props.markedReporting}
            onClick={props.onMarkedReport}
          >
            {t('media.marksReport')}
          </Button>
        )}
        {requested && (
          <Button
            variant="default"
            leftSection={<Icon name="list" />}
            onClick={() => openModal('file-requests', { conferenceId: conference._id })}
          >
            {t('media.requestsMade')}
          </Button>
        )}
      </div>
      {showsRequestFiles(conference) && (
        <div className={classes.request}>
          <Button
            leftSection={<Icon name="send" />}
            onClick={() => openModal('request-files', requestFilesInput(conference))}
          >
            {t('media.requestFiles')}
          </Button>
        </div>
      )}
    </section>
  );
}
