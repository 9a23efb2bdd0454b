import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { toast } from '@/shared/ui/toast';
import { agreeCallback, createRequest } from '../api';
import { markDone } from '../done';
import type { VideoCallRequest } from '../model';
import { keepDraft, toBody, valuesOf } from '../request-form';
import { CallbackModal } from './CallbackModal';
import { CaseFacts } from './CaseFacts';
import classes from './Outcome.module.css';

/** Nobody took it: another firm, a call at an agreed time, or once more. What was typed is not lost. */
export function Outcome({ request }: { request: VideoCallRequest }) {
  const t = useT();
  const queries = useQueryClient();
  const [later, setLater] = useState(false);
  const [sending, setSending] = useState(false);
  const customer = request.customerName;
  const refused = request.state === 'refused';
  const toForm = (keepCustomer: boolean) => {
    keepDraft(valuesOf(request, keepCustomer));
    markDone(request);
  };
  const send = async (callbackAt?: string) => {
    setSending(true);
    try {
      if (callbackAt) await agreeCallback(request._id, callbackAt);
      else await createRequest(toBody(valuesOf(request, true), customer));
      await queries.invalidateQueries({ queryKey: ['list_video_call_requests'] });
      if (callbackAt) toast.ok({ title: t('videocallrequests.callbackDone') });
      markDone(request);
    } catch (error) {
      const title = callbackAt ? t('videocallrequests.callbackFailed') : t('videocallrequests.failed');
      toast.error({ title, text: errorText(t, error) });
      // The form can say which field it is.
      toForm(true);
    } finally {
      setSending(false);
      setLater(false);
    }
  };
  return (
    <section className={classes.root}>
      <span className={classes.badge} aria-hidden="true">
        <Icon name={refused ? 'x' : 'clock'} size={28} />
      </span>
      <div role="alert">
        <h1>{refused ? t('videocallrequests.refusedTitle', { customer }) : t('videocallrequests.expiredTitle')}</h1>
        <p>{refused ? t('videocallrequests.refusedText') : t('videocallrequests.expiredText', { customer })}</p>
      </div>
      <div className={classes.ways}>
        <Button size="md" leftSection={<Icon name="bld" />} onClick={() => toForm(false)}>
          {t('videocallrequests.another')}
        </Button>
        <Button variant="default" size="md" leftSection={<Icon name="clock" />} onClick={() => setLater(true)}>
          {t('videocallrequests.askLater')}
        </Button>
        <Button
          variant="default"
          size="md"
          loading={sending && !later}
          leftSection={<Icon name="refresh" />}
          onClick={() => void send()}
        >
          {t('videocallrequests.again')}
        </Button>
      </div>
      <CaseFacts request={request} />
      <CallbackModal
        opened={later}
        customer={customer}
        sending={sending}
        onClose={() => setLater(false)}
        onChosen={(at) => void send(at)}
      />
    </section>
  );
}
