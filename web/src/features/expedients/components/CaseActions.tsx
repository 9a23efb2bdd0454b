import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConferenceRow, MediaItem } from '@/api/types';
import { hasFiles, useZips } from '@/shared/conference/use-zips';
import { errorText, useT } from '@/shared/i18n';
import { downloadCertificate, downloadPhotoReport } from '@/shared/lib/case-files';
import { requestFilesInput, showsRequestFiles } from '@/shared/lib/file-requests';
import { openModal } from '@/shared/lib/modals';
import { Role, roleOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { toast } from '@/shared/ui/toast';
import classes from './expedient.module.css';

interface CaseActionsProps {
  conferences: ConferenceRow[];
  media: MediaItem[];
}

/** Whether the client came: what was cancelled before has nothing to certify. */
const wasHeld = (row: ConferenceRow) => Boolean(row.sid) || typeof row.duration === 'number';

/**
 * What may be done with a case: another call with its data, files asked for; the archives and pictures of all its calls;
 * the certificate of the last one that was held.
 */
export function CaseActions({ conferences, media }: CaseActionsProps) {
  const t = useT();
  const session = useRequiredSession();
  const [running, setRunning] = useState<string | null>(null);
  const mayCall = [Role.worker, Role.customer].some((role) => role === roleOf(session));
  const newest = [...conferences].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const [last] = newest;
  const asks = newest.find(showsRequestFiles);
  const filed = newest.filter(hasFiles);
  const pictured = filed.filter(({ _id }) =>
    media.some(({ conferenceId, type, expired }) => conferenceId === _id && type === 'PICTURE' && !expired),
  );
  const kept = newest.filter((row) => !row.erased);
  const certified = kept.find(wasHeld) ?? kept[0];
  const zips = useZips();
  const save = async (what: string, title: string, work: () => Promise<void>) => {
    setRunning(what);
    await work().catch((error: unknown) => toast.error({ title, text: errorText(t, error) }));
    setRunning(null);
  };
  if (!last) return null;
  return (
    <div className={classes.caseActions}>
      {mayCall && (
        <Button
          component={Link}
          to={paths.newVideocall()}
          search={{ case: last.expedientNumber, type: last.type } as never}
          leftSection={<Icon name="videoplus" size={16} />}
        >
          {t('expedients.newCall')}
        </Button>
      )}
      {asks && (
        <Button
          variant="default"
          leftSection={<Icon name="send" size={16} />}
          onClick={() => openModal('request-files', requestFilesInput(asks))}
        >
          {t('conferences.requestFiles')}
        </Button>
      )}
      {filed.length > 0 && (
        <Button
          variant="default"
          loading={zips.running}
          leftSection={<Icon name="dl" size={16} />}
          onClick={() => void zips.save(filed)}
        >
          {t('conferences.zip')}
        </Button>
      )}
      <Button
        variant="default"
        disabled={pictured.length === 0}
        loading={running === 'report'}
        leftSection={<Icon name="doc" size={16} />}
        onClick={() =>
          void save('report', t('media.photoReportError'), async () => {
            for (const row of pictured) await downloadPhotoReport(row._id, row.expedientNumber);
          })
        }
      >
        {t('media.photoReport')}
      </Button>
      {certified && (
        <Button
          variant="default"
          loading={running === 'certificate'}
          leftSection={<Icon name="seal" size={16} />}
          onClick={() =>
            void save('certificate', t('conferences.certificateFailed'), () =>
              downloadCertificate(certified._id, certified.expedientNumber),
            )
          }
        >
          {t('conferences.certificate')}
        </Button>
      )}
    </div>
  );
}
