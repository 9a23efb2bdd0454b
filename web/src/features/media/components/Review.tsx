import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '@/api/generated/limits';
import type { MediaItem } from '@/api/types';
import { type ConferenceMedia, mediaQuery } from '@/shared/conference/api';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import { reviewMedia } from '../api';
import classes from './Facts.module.css';

/** The reason is shown on the client's page, as the page-show text is. */
const REASON_MAX = limits.pageShowTextMax;

/** Verdict on a file that the client was asked for: approved, or rejected with a reason, which asks for it again. */
export function Review({ item }: { item: MediaItem }) {
  const t = useT();
  const client = useQueryClient();
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const verdict = useMutation({
    mutationFn: (approve: boolean) => reviewMedia(item._id, approve, approve ? undefined : reason.trim()),
    onSuccess: ({ review, reviewNote }) => {
      setRejecting(false);
      client.setQueryData<ConferenceMedia>(mediaQuery(item.conferenceId).queryKey, (known) =>
        known
          ? { ...known, media: known.media.map((one) => (one._id === item._id ? { ...one, review, reviewNote } : one)) }
          : known,
      );
      void client.invalidateQueries({ queryKey: ['client_files', item.conferenceId] });
    },
  });
  const long = [...reason.trim()].length > REASON_MAX;
  const reject = () => {
    setMissing(!reason.trim());
    if (reason.trim() && !long) verdict.mutate(false);
  };
  const error = long
    ? t('media.textTooLong', { max: REASON_MAX })
    : missing && !reason.trim()
      ? t('media.reviewReasonRequired')
      : null;
  return (
    <section className={classes.section}>
      <h3>{t('media.review')}</h3>
      {item.review === 'approved' && (
        <Tag tone="ok" icon="check">
          {t('media.reviewApproved')}
        </Tag>
      )}
      {item.review === 'rejected' && (
        <>
          <Tag tone="bad" icon="x">
            {t('media.reviewRejected')}
          </Tag>
          {item.reviewNote && <p className={classes.reason}>{item.reviewNote}</p>}
        </>
      )}
      {item.review === null && (
        <Tag tone="warn" icon="clock">
          {t('media.reviewPending')}
        </Tag>
      )}
      {rejecting && (
        <Textarea
          mt={12}
          label={t('media.reviewReason')}
          description={t('media.reviewReasonHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={t('media.reviewReasonPlaceholder')}
          autosize
          minRows={2}
          data-autofocus
          autoFocus
          value={reason}
          error={error}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {verdict.isError && (
        <p className={classes.bad} role="alert">
          {t('media.reviewError')}. {errorText(t, verdict.error)}
        </p>
      )}
      <div className={classes.buttons}>
        {rejecting ? (
          <DialogButtons
            onCancel={() => setRejecting(false)}
            go={t('media.reviewSendReject')}
            onGo={reject}
            danger
            busy={verdict.isPending}
            size="xs"
          />
        ) : (
          <>
            {item.review !== 'approved' && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="check" size={16} />}
                loading={verdict.isPending}
                onClick={() => verdict.mutate(true)}
              >
                {t('media.reviewApprove')}
              </Button>
            )}
            {item.review !== 'rejected' && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="x" size={16} />}
                onClick={() => setRejecting(true)}
              >
                {t('media.reviewReject')}
              </Button>
            )}
          </>
        )}
      </div>
    </section>
  );
}
