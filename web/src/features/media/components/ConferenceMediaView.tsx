import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { IconAction } from '@/shared/ui/IconAction';
import { StateView } from '@/shared/ui/StateView';
import { mediaQuery } from '../api';
import { mediaFailure } from '../errors';
import { useArrowKeys } from '../hooks/use-arrow-keys';
import { useDownloads } from '../hooks/use-downloads';
import { type Filter, filtered, galleryOrder, isSettling, keepFresh } from '../model';
import { Facts } from './Facts';
import { Gallery } from './Gallery';
import { MediaSkeleton } from './MediaSkeleton';
import classes from './media.module.css';
import { PreviewModal } from './PreviewModal';
import { Viewer } from './Viewer';
import viewer from './Viewer.module.css';

/** While recordings of a call that just ended are still being stored. Milliseconds. */
const SETTLING_EVERY_MS = 3_000;

/** Pictures, videos and documents of one conference: grid, one large, its facts (SPEC §2 "Conference media view"). */
export function ConferenceMediaView({ conferenceId }: { conferenceId: string }) {
  const t = useT();
  const wide = useMediaQuery('(min-width: 1201px)', true, { getInitialValueInEffect: false });
  const { data, error, isPending, refetch } = useQuery({
    ...mediaQuery(conferenceId),
    // What a call left in the cache is old: the recording is stored as the call ends.
    refetchOnMount: 'always',
    refetchInterval: (query) => (isSettling(query.state.data?.conference, Date.now()) ? SETTLING_EVERY_MS : false),
  });
  const { downloadAll, downloading } = useDownloads();
  const [filter, setFilter] = useState<Filter>('all');
  const [chosen, setChosen] = useState<string | null>(null);
  const [large, setLarge] = useState(false);
  const fresh = useRef(new Set<string>());
  const items = useMemo(() => galleryOrder(keepFresh(data?.media ?? [], fresh.current)), [data]);
  const shown = filtered(items, filter);
  const current = shown.find((one) => one._id === chosen) ?? (wide ? shown[0] : undefined) ?? null;
  useArrowKeys(shown, current?._id ?? null, setChosen, !large);

  const told = useRef<unknown>(null);
  useEffect(() => {
    if (!error || told.current === error) return;
    told.current = error;
    mediaFailure(t, 'loadError', error, () => void refetch());
  }, [error, refetch, t]);

  if (isPending) return <MediaSkeleton />;
  if (!data) {
    return (
      <StateView
        icon="warn"
        tone="bad"
        title={t('media.loadError')}
        text={errorText(t, error)}
        action={{ label: t('common.retry'), run: () => void refetch(), icon: 'refresh' }}
      />
    );
  }
  const open = (id: string) => {
    setChosen(id);
    if (!wide) setLarge(true);
  };
  return (
    <div className={classes.root}>
      <Gallery
        items={items}
        filter={filter}
        onFilter={setFilter}
        currentId={current?._id ?? null}
        onOpen={open}
        onZip={() => void downloadAll(conferenceId)}
        zipping={downloading === 'zip'}
      />
      {wide && current && (
        <>
          <Viewer
            items={shown}
            item={current}
            onItem={setChosen}
            // A video has its own full screen.
            tools={
              current.type !== 'VIDEO' && (
                <IconAction
                  className={viewer.tool}
                  icon="full"
                  label={t('media.enlarge')}
                  onClick={() => setLarge(true)}
                />
              )
            }
          />
          <Facts item={current} items={items} />
        </>
      )}
      <PreviewModal
        items={shown}
        openId={large ? (current?._id ?? null) : null}
        onOpen={setChosen}
        onClose={() => setLarge(false)}
      />
    </div>
  );
}

interface ConferenceMediaModalProps {
  conferenceId: string | null;
  onClose: () => void;
}

/** The same view over another page, by conference id; null = closed. */
export function ConferenceMediaModal({ conferenceId, onClose }: ConferenceMediaModalProps) {
  const t = useT();
  return (
    <Modal
      opened={conferenceId !== null}
      onClose={onClose}
      size="min(1280px, 96vw)"
      title={t('media.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={classes.modalBody}>{conferenceId && <ConferenceMediaView conferenceId={conferenceId} />}</div>
    </Modal>
  );
}
