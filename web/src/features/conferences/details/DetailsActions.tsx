import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Conference } from '@/api/types';
import { glanceQuery } from '@/shared/conference/api';
import { useT } from '@/shared/i18n';
import { isOpen } from '@/shared/lib/conferences';
import { requestFilesInput, showsRequestFiles } from '@/shared/lib/file-requests';
import { openModal } from '@/shared/lib/modals';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { useCaseFiles } from '../lists/use-case-files';
import classes from './details.module.css';

interface DetailsActionsProps {
  conference: Conference;
  mayCall: boolean;
  readsOnly: boolean;
}

/** What may be done with the conference: the room while it is open, its files, certificate and case. */
export function DetailsActions({ conference, mayCall, readsOnly }: DetailsActionsProps) {
  const t = useT();
  const files = useCaseFiles(conference);
  const { data } = useQuery(glanceQuery(conference._id));
  const pictured = data?.media.some(({ type, expired }) => type === 'PICTURE' && !expired) ?? false;
  return (
    <div className={classes.actions}>
      {mayCall && isOpen(conference, new Date()) && (
        <Button component={Link} to={paths.conference(conference._id)} leftSection={<Icon name="video" size={16} />}>
          {t('conferences.enterRoom')}
        </Button>
      )}
      <Button
        component={Link}
        to={paths.conferenceMedia(conference._id)}
        variant="default"
        leftSection={<Icon name="img" size={16} />}
      >
        {t('conferences.gallery')}
      </Button>
      {!readsOnly && (
        <Button
          variant="default"
          loading={files.running === 'certificate'}
          leftSection={<Icon name="seal" size={16} />}
          onClick={files.certificate}
        >
          {t('conferences.certificate')}
        </Button>
      )}
      <Button
        variant="default"
        loading={files.running === 'zip'}
        leftSection={<Icon name="dl" size={16} />}
        onClick={files.zip}
      >
        ZIP
      </Button>
      {!readsOnly && (
        <Button
          variant="default"
          disabled={!pictured}
          loading={files.running === 'report'}
          leftSection={<Icon name="doc" size={16} />}
          onClick={files.report}
        >
          {t('media.photoReport')}
        </Button>
      )}
      {!readsOnly && (
        <Button
          component={Link}
          to={paths.expedient(conference.expedientNumber)}
          variant="default"
          leftSection={<Icon name="doc" size={16} />}
        >
          {t('conferences.expedient')}
        </Button>
      )}
      {showsRequestFiles(conference) && (
        <Button
          variant="default"
          leftSection={<Icon name="send" size={16} />}
          onClick={() => openModal('request-files', requestFilesInput(conference))}
        >
          {t('conferences.requestFiles')}
        </Button>
      )}
    </div>
  );
}
