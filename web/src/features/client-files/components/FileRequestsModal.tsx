import { Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorText, useT } from '@/shared/i18n';
import type { ModalInputs } from '@/shared/lib/modals';
import { StateView } from '@/shared/ui/StateView';
import { requestsQuery } from '../api';
import { RequestCard } from './RequestCard';
import classes from './Requests.module.css';

interface FileRequestsModalProps {
  input: ModalInputs['file-requests'];
  opened: boolean;
  onClose: () => void;
}

/** The requests made for a conference, newest first: the dialog with the id `file-requests`. */
export function FileRequestsModal({ input, opened, onClose }: FileRequestsModalProps) {
  const t = useT();
  const { data, error, isPending, refetch } = useQuery(requestsQuery(input.conferenceId));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={640}
      title={t('clientfiles.requestsTitle')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {isPending && (
        <div className={classes.list} role="status" aria-label={t('common.loading')}>
          <Skeleton height={140} />
          <Skeleton height={140} />
        </div>
      )}
      {error && !data && (
        <StateView
          icon="warn"
          tone="bad"
          title={t('clientfiles.requestsError')}
          text={errorText(t, error)}
          action={{ label: t('common.retry'), run: () => void refetch(), icon: 'refresh' }}
        />
      )}
      {data?.length === 0 && <StateView icon="send" title={t('clientfiles.requestsNone')} />}
      {data && data.length > 0 && (
        <div className={classes.list}>
          {data.map((request) => (
            <RequestCard key={request._id} request={request} />
          ))}
        </div>
      )}
    </Modal>
  );
}
