import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ConferenceRow } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { downloadCertificate, downloadZip } from '@/shared/lib/case-files';
import { paths } from '@/shared/routes/paths';
import type { RowKey } from '@/shared/ui/DataList';
import { toast } from '@/shared/ui/toast';

/** Letters of a list of conferences: M its media, Z its zip, S its sealed certificate (not for who only reads). */
export function useRowShortcuts(readsOnly: boolean): RowKey<ConferenceRow>[] {
  const t = useT();
  const navigate = useNavigate();
  return useMemo(() => {
    const saved = (title: string, work: (row: ConferenceRow) => Promise<void>) => (row: ConferenceRow) => {
      work(row).catch((error: unknown) => toast.error({ title, text: errorText(t, error) }));
    };
    const media = {
      key: 'm',
      label: t('conferences.openMedia'),
      run: (row: ConferenceRow) => void navigate({ href: paths.conferenceMedia(row._id) }),
    };
    const zip = {
      key: 'z',
      label: t('conferences.zip'),
      run: saved(t('media.zipError'), async (row) => {
        if (row.files > 0 && !row.mediaExpired) await downloadZip(row._id);
      }),
    };
    const certificate = {
      key: 's',
      label: t('conferences.openCertificate'),
      run: saved(t('conferences.certificateFailed'), async (row) => {
        if (!row.erased) await downloadCertificate(row._id, row.expedientNumber);
      }),
    };
    return readsOnly ? [media, zip] : [media, zip, certificate];
  }, [t, navigate, readsOnly]);
}
