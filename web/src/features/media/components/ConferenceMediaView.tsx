import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { drawingsQuery, measuresQuery, mediaQuery } from '@/shared/conference/api';
import { errorText, useT } from '@/shared/i18n';
import { useUnsaved } from '@/shared/lib/use-unsaved';
import { IconAction } from '@/shared/ui/IconAction';
import { StateView } from '@/shared/ui/StateView';
import { askedNamesQuery, shotNamesQuery } from '../api';
import { mediaFailure } from '../errors';
import { useComparison } from '../hooks/use-comparison';
import { useDownloads } from '../hooks/use-downloads';
import { useLiveMedia } from '../hooks/use-live-media';
import { useUnsavedTexts } from '../hooks/use-media-text';
import { useReadsOnly } from '../hooks/use-reads-only';
import { type Filter, filtered, galleryOrder, isSettling, keepFresh, named } from '../model';
import { Evidence } from './Evidence';
import { Facts } from './Facts';
import { Gallery } from './Gallery';
import { MediaSkeleton } from './MediaSkeleton';
import classes from './media.module.css';
import { PreviewModal } from './PreviewModal';
import { Viewer } from './Viewer';
import viewer from './Viewer.module.css';

/** While recordings of a call that just ended are still being stored. Milliseconds. */
const SETTLING_EVERY_MS = 3_000;

interface ConferenceMediaViewProps {
  conferenceId: string;
  /** The file to begin with. */
  first?: string | null;
}

/** Pictures, videos and documents of one conference: grid, one large, its facts. */
export function ConferenceMediaView({ conferenceId, first = null }: ConferenceMediaViewProps) {
  const t = useT();
  const readsOnly = useReadsOnly();
  const wide = useMediaQuery('(min-width: 1201px)', true, { getInitialValueInEffect: false });
  const { data, error, isPending, refetch } = useQuery({
    ...mediaQuery(conferenceId),
    // What a call left in the cache is old: the recording is stored as the call ends.
    refetchOnMount: 'always',
    refetchInterval: (query) => (isSettling(query.state.data?.conference, Date.now()) ? SETTLING_EVERY_MS : false),
  });
  const { downloadAll, report, downloading } = useDownloads();
  const [filter, setFilter] = useState<Filter>('all');
  const [chosen, setChosen] = useState<string | null>(first);
  const [large, setLarge] = useState(first !== null && !wide);
  const comparison = useComparison();
  const fresh = useRef(new Set<string>());
  const { data: names } = useQuery({ ...shotNamesQuery(conferenceId), enabled: !readsOnly });
  const drawings = useQuery({ ...drawingsQuery(conferenceId), enabled: !readsOnly }).data?.drawings;
  const measures = useQuery({ ...measuresQuery(conferenceId), enabled: !readsOnly }).data;
  const drawn = [...(drawings ?? []), ...(measures ?? [])].some(({ url }) => url !== null);
  const { data: asked } = useQuery({
    ...askedNamesQuery(conferenceId),
    enabled: !readsOnly && (data?.media.some((one) => one.itemId !== null) ?? false),
  });
  const items = useMemo(
    () => named(galleryOrder(keepFresh(data?.media ?? [], fresh.current)), names ?? {}, asked ?? {}),
    [data, names, asked],
  );
  const shown = filtered(items, filter);
  const current = shown.find((one) => one._id === chosen) ?? (wide ? shown[0] : undefined) ?? null;
  useLiveMedia(readsOnly ? null : conferenceId);
  useUnsaved(useUnsavedTexts(items));

  const erased = error instanceof ApiError && error.code === 'MEDIA_ERASED';
  const told = useRef<unknown>(null);
  useEffect(() => {
    if (!error || erased || told.current === error) return;
    told.current = error;
    mediaFailure(t, 'loadError', error, () => void refetch());
  }, [error, erased, refetch, t]);

  if (isPending) return <MediaSkeleton />;
  if (erased) return <StateView icon="trash" title={errorText(t, error)} text={t('media.erasedText')} />;
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
    // While two are compared, a picture of the gallery is the second.
    const compared = comparison.on && wide && shown.some((one) => one._id === id && one.type === 'PICTURE');
    if (compared && id !== current?._id) return comparison.choose(id);
    setChosen(id);
    if (!wide) setLarge(true);
  };
  return (
    <div className={classes.root}>
      <Gallery
        conference={data.conference}
        items={items}
        filter={filter}
        onFilter={setFilter}
        currentId={current?._id ?? null}
        onOpen={open}
        onZip={() => void downloadAll(conferenceId)}
        zipping={downloading === 'zip'}
        onReport={readsOnly ? undefined : () => void report(conferenceId, data.conference.expedientNumber)}
        reporting={downloading === 'report'}
        onMarkedReport={drawn ? () => void report(conferenceId, data.conference.expedientNumber, true) : undefined}
        markedReporting={downloading === 'marked-report'}
        evidence={!readsOnly && !(wide && current) && <Evidence conference={data.conference} />}
      />
      {wide && current && (
        <>
          <Viewer
            items={shown}
            item={current}
            onItem={setChosen}
            keys={!large}
            comparison={comparison}
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
          <Facts item={current} items={items} foot={!readsOnly && <Evidence conference={data.conference} />} />
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
