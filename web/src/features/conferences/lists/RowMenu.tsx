import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ConferenceRow } from '@/api/types';
import { useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { isOpen, isRecent } from '@/shared/lib/conferences';
import { requestFilesInput, showsRequestFiles } from '@/shared/lib/file-requests';
import { openModal } from '@/shared/lib/modals';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import classes from './RowActions.module.css';
import type { useCaseFiles } from './use-case-files';

interface RowMenuProps {
  row: ConferenceRow;
  mayCall: boolean;
  readsOnly: boolean;
  onDetails: () => void;
  files: ReturnType<typeof useCaseFiles>;
  /** The button it belongs to. */
  children: ReactNode;
}

/** Everything that may be done with a conference; open as soon as it is made. */
export function RowMenu({ row, mayCall, readsOnly, onDetails, files, children }: RowMenuProps) {
  const t = useT();
  return (
    <Menu position="bottom-end" width={280} defaultOpened>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {mayCall && isOpen(row, new Date()) && (
          <Menu.Item component={Link} to={paths.conference(row._id)} leftSection={<Icon name="video" size={16} />}>
            {t('conferences.enterRoom')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="info" size={16} />} onClick={onDetails}>
          {t('conferences.openDetails')}
        </Menu.Item>
        {!row.erased && !readsOnly && (
          <Menu.Item
            component={Link}
            to={paths.expedient(row.expedientNumber)}
            leftSection={<Icon name="doc" size={16} />}
          >
            {t('conferences.openExpedient')}
          </Menu.Item>
        )}
        <Menu.Item
          component={Link}
          to={paths.conferenceMedia(row._id)}
          className={classes.narrowOnly}
          leftSection={<Icon name="img" size={16} />}
        >
          {t('conferences.openMedia')}
        </Menu.Item>
        {!readsOnly && (
          <Menu.Item
            className={classes.narrowOnly}
            leftSection={<Icon name="seal" size={16} />}
            disabled={row.erased}
            onClick={files.certificate}
          >
            {t('conferences.openCertificate')}
          </Menu.Item>
        )}
        {showsRequestFiles(row) && (
          <Menu.Item
            leftSection={<Icon name="send" size={16} />}
            onClick={() => openModal('request-files', requestFilesInput(row))}
          >
            {t('conferences.requestFiles')}
          </Menu.Item>
        )}
        {row.files > 0 && !row.mediaExpired && (
          <Menu.Item leftSection={<Icon name="dl" size={16} />} onClick={files.zip}>
            {t('conferences.zip')}
          </Menu.Item>
        )}
        {!readsOnly && (
          <Menu.Item
            leftSection={<Icon name="doc" size={16} />}
            // How many of the files are pictures is known to administrators only.
            disabled={row.erased || row.mediaExpired || (row.derived?.pictures ?? row.files) === 0}
            onClick={files.report}
          >
            {t('media.photoReport')}
          </Menu.Item>
        )}
        {!row.erased && isRecent(row, new Date()) && (
          <Menu.Item
            leftSection={<Icon name="warn" size={16} />}
            onClick={() => openModal('incidence', { opener: 'list-add', conference: row })}
          >
            {t('incidences.report')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="copy" size={16} />} onClick={() => void copyText(row.expedientNumber)}>
          {t('conferences.copyNumber')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
