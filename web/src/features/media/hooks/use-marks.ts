import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { MediaItem } from '@/api/types';
import { drawingsQuery, measuresQuery } from '@/shared/conference/api';
import { useT } from '@/shared/i18n';
import { save } from '../api';
import { mediaFailure } from '../errors';
import { copyName, withMarks } from '../marks';
import { itemTitle } from '../texts';
import { useReadsOnly } from './use-reads-only';

/** What lies over a picture. */
export interface Layer {
  src: string;
  label: string;
}

interface Urls {
  marks?: string | null;
  measures?: string | null;
}

/** Marks and measures on a conference's pictures: where each layer is, whether they are shown, and copies that have them (DRAW-9). */
export function useMarks(conferenceId: string, items: readonly MediaItem[]) {
  const t = useT();
  const readsOnly = useReadsOnly();
  const { data } = useQuery({ ...drawingsQuery(conferenceId), enabled: !readsOnly });
  const { data: measures } = useQuery({ ...measuresQuery(conferenceId), enabled: !readsOnly });
  const [shown, setShown] = useState(true);
  const [exporting, setExporting] = useState(false);
  const layersOf = useCallback(
    (item: MediaItem): Urls => {
      const of = (one: { mediaId: string }) => one.mediaId === item._id;
      const urls = {
        marks: data?.drawings.find(of)?.url,
        measures: measures?.find(of)?.url,
      };
      return item.expired ? {} : urls;
    },
    [data, measures],
  );
  const has = (item: MediaItem): boolean => Object.values(layersOf(item)).some(Boolean);

  const exportCopy = async (item: MediaItem): Promise<void> => {
    const layers = Object.values(layersOf(item)).filter((url): url is string => Boolean(url));
    if (layers.length === 0) return;
    setExporting(true);
    try {
      const name = item.originalFileName || item.filename;
      const caption = t('media.marksCopy', { name, hash: item.hash });
      const url = URL.createObjectURL(await withMarks(item.preview ?? item.url, layers, caption));
      save(url, copyName(name, t('media.marksFileName')));
      // The browser has taken it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (error) {
      mediaFailure(t, 'marksExportError', error, () => void exportCopy(item));
    } finally {
      setExporting(false);
    }
  };
  return {
    /** Address and name of each of a picture's layers while they are shown. */
    layers: (item: MediaItem): Layer[] => {
      const { marks, measures: measured }: Urls = shown ? layersOf(item) : {};
      const name = itemTitle(t, item, items as MediaItem[]);
      return [
        ...(marks ? [{ src: marks, label: t('media.marksOf', { name }) }] : []),
        ...(measured ? [{ src: measured, label: t('media.measuresOf', { name }) }] : []),
      ];
    },
    has,
    shown,
    toggle: () => setShown((before) => !before),
    exporting,
    exportCopy,
  };
}

export type Marks = ReturnType<typeof useMarks>;
