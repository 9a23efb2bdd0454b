import { useState } from 'react';
import type { ConferenceRow } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { downloadZip } from '@/shared/lib/case-files';
import { toast } from '@/shared/ui/toast';

/** Browsers drop downloads that follow each other faster. Milliseconds. */
const BETWEEN_MS = 400;

export const hasFiles = (row: ConferenceRow) => row.files > 0 && !row.mediaExpired && !row.erased;

/** Saves the files of several conferences, one archive each; says how many had none or failed. */
export function useZips() {
  const t = useT();
  const [running, setRunning] = useState(false);
  const save = async (rows: ConferenceRow[]) => {
    setRunning(true);
    const wanted = rows.filter(hasFiles);
    const failed: string[] = [];
    let cause: unknown;
    for (const row of wanted) {
      try {
        await downloadZip(row._id);
        await new Promise((later) => setTimeout(later, BETWEEN_MS));
      } catch (error) {
        failed.push(row.expedientNumber);
        cause = error;
      }
    }
    setRunning(false);
    if (failed.length > 0)
      toast.error({ title: t('media.zipError'), text: `${failed.join(', ')}: ${errorText(t, cause)}` });
    const empty = rows.length - wanted.length;
    if (empty > 0) toast.info({ title: t('conferences.zipsWithout', { count: empty }) });
  };
  return { running, save };
}
