import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConferenceRow } from '@/api/types';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import classes from './RowActions.module.css';
import { RowMenu } from './RowMenu';
import { useCaseFiles } from './use-case-files';

interface RowActionsProps {
  row: ConferenceRow;
  /** Whether the caller may enter calls of the company. */
  mayCall: boolean;
  /** Only reads: no certificate, no case. */
  readsOnly: boolean;
  onDetails: () => void;
}

/**
 * Multimedia, certificate and the rest of what may be done with a conference, at the end of its row. Rows come and go
 * while one scrolls, so tips are the browser's own and the menu is made when it is first asked for.
 */
export function RowActions({ row, mayCall, readsOnly, onDetails }: RowActionsProps) {
  const t = useT();
  const files = useCaseFiles(row);
  const [asked, setAsked] = useState(false);
  const more = `${t('common.more')}: ${row.expedientNumber}`;
  return (
    <>
      <Link
        to={paths.conferenceMedia(row._id)}
        className={classes.button}
        title={t('conferences.openMedia')}
        aria-label={`${t('conferences.openMedia')}: ${row.expedientNumber}`}
      >
        <Icon name="img" size={16} />
      </Link>
      {!readsOnly && (
        <button
          type="button"
          className={classes.button}
          title={t('conferences.openCertificate')}
          aria-label={`${t('conferences.openCertificate')}: ${row.expedientNumber}`}
          aria-busy={files.running === 'certificate'}
          disabled={row.erased || files.running !== null}
          onClick={files.certificate}
        >
          <Icon name="seal" size={16} />
        </button>
      )}
      {asked ? (
        <RowMenu row={row} mayCall={mayCall} readsOnly={readsOnly} onDetails={onDetails} files={files}>
          <ActionIcon variant="subtle" color="gray" c="inherit" className={classes.more} aria-label={more}>
            <Icon name="dots" size={16} />
          </ActionIcon>
        </RowMenu>
      ) : (
        <button
          type="button"
          className={`${classes.button} ${classes.more}`}
          aria-haspopup="menu"
          aria-label={more}
          onClick={() => setAsked(true)}
        >
          <Icon name="dots" size={16} />
        </button>
      )}
    </>
  );
}
