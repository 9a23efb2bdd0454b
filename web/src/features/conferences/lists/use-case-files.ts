import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { downloadCertificate, downloadPhotoReport, downloadZip } from '@/shared/lib/case-files';
import { toast } from '@/shared/ui/toast';

type Running = 'certificate' | 'report' | 'zip' | null;

/** What may be saved of a conference, with its failure said and another try offered. */
export function useCaseFiles(conference: { _id: string; expedientNumber: string }) {
  const t = useT();
  const [running, setRunning] = useState<Running>(null);
  const run = async (what: Exclude<Running, null>, title: string, work: () => Promise<void>): Promise<void> => {
    setRunning(what);
    try {
      await work();
    } catch (error) {
      const again = { label: t('common.retry'), run: () => void run(what, title, work) };
      toast.error({ title, text: errorText(t, error), action: again });
    } finally {
      setRunning(null);
    }
  };
  return {
    running,
    certificate: () =>
      void run('certificate', t('conferences.certificateFailed'), () =>
        downloadCertificate(conference._id, conference.expedientNumber),
      ),
    report: () =>
      void run('report', t('media.photoReportError'), () =>
        downloadPhotoReport(conference._id, conference.expedientNumber),
      ),
    zip: () => void run('zip', t('media.zipError'), () => downloadZip(conference._id)),
  };
}
