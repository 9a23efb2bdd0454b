import { useCallback, useState } from 'react';
import type { MediaItem } from '@/api/types';
import { useT } from '@/shared/i18n';
import { downloadPhotoReport } from '@/shared/lib/case-files';
import { downloadUrl, probe, save, zipUrl } from '../api';
import { mediaFailure } from '../errors';

/** Saving one file or all of them; failures are dialogs that say why. */
export function useDownloads() {
  const t = useT();
  const [downloading, setDownloading] = useState<string | null>(null);

  const download = useCallback(
    async (item: MediaItem): Promise<void> => {
      setDownloading(item._id);
      try {
        await probe(item.url);
        save(downloadUrl(item.url), item.originalFileName || item.filename);
      } catch (error) {
        mediaFailure(t, 'downloadError', error, () => void download(item));
      } finally {
        setDownloading(null);
      }
    },
    [t],
  );

  const downloadAll = useCallback(
    async (conferenceId: string): Promise<void> => {
      setDownloading('zip');
      try {
        const url = await zipUrl(conferenceId);
        save(url, `${conferenceId}.zip`);
      } catch (error) {
        mediaFailure(t, 'zipError', error, () => void downloadAll(conferenceId));
      } finally {
        setDownloading(null);
      }
    },
    [t],
  );

  const report = useCallback(
    async (conferenceId: string, expedientNumber: string, marks = false): Promise<void> => {
      setDownloading(marks ? 'marked-report' : 'report');
      try {
        await downloadPhotoReport(conferenceId, expedientNumber, marks);
      } catch (error) {
        mediaFailure(t, 'photoReportError', error, () => void report(conferenceId, expedientNumber, marks));
      } finally {
        setDownloading(null);
      }
    },
    [t],
  );
  return { download, downloadAll, report, downloading };
}
