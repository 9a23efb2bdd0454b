import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { longDate, longDateTime } from '@/shared/lib/dates';
import { daysLeft, requestWindowEnd } from '@/shared/lib/file-requests';
import type { RequestFilesInput } from '@/shared/lib/modals';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { type RequestForm, useRequestForm } from '../hooks/use-request-form';
import { useSentState } from '../hooks/use-sent-state';
import { sentWords } from '../model';
import { MessageFields } from './MessageFields';
import classes from './RequestFiles.module.css';
import { Things } from './Things';
import { WhatTheyGet } from './WhatTheyGet';

interface RequestFilesModalProps {
  input: RequestFilesInput;
  opened: boolean;
  onClose: () => void;
}

/** With fewer whole days left the end is said to the minute. */
const NEAR_END_DAYS = 3;
const isNearEnd = (end: string) => daysLeft(end, Date.now()) < NEAR_END_DAYS;

/** A warning is confirmed first, once. */
function Warning({ onGo, onClose }: { onGo: () => void; onClose: () => void }) {
  const t = useT();
  return (
    <div className={classes.step}>
      <Note tone="warn" icon="warn" title={t('clientfiles.warning')} text={t('clientfiles.warningText')} />
      <DialogButtons onCancel={onClose} go={t('clientfiles.warningGo')} onGo={onGo} focus="go" apart />
    </div>
  );
}

type SentRequest = NonNullable<RequestForm['sent']>;

/** A request-sent alert, then the modal closes. */
function Sent({ form, request, onClose }: { form: RequestForm; request: SentRequest; onClose: () => void }) {
  const t = useT();
  const { channel, phone, email, notify } = form.values;
  const told = sentWords(t, useSentState(request), { channel, to: channel === 'sms' ? phone : email, notify });
  return (
    <div className={classes.step}>
      <div role={told.tone === 'ok' ? 'alert' : undefined}>
        <Note {...told} />
      </div>
      <DialogButtons go={t('common.accept')} onGo={onClose} focus="go" apart />
    </div>
  );
}

function Form({ form, input, onClose }: { form: RequestForm; input: RequestFilesInput; onClose: () => void }) {
  const t = useT();
  const language = useLanguage();
  const [side, setSide] = useState<'what' | 'preview'>('what');
  const end = requestWindowEnd(input);
  const sms = form.values.channel === 'sms';
  return (
    <form
      ref={form.form}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <div className={classes.body}>
        <div className={classes.main}>
          <Note tone="warn" icon="warn" text={t('clientfiles.warning')} />
          {end && isNearEnd(end) && (
            <Note tone="warn" icon="clock" text={t('clientfiles.endsSoon', { date: longDateTime(end, language) })} />
          )}
          <MessageFields form={form} />
        </div>
        <div className={classes.side}>
          <Segmented
            label={t('clientfiles.side')}
            value={side}
            onChange={setSide}
            options={[
              { value: 'what', label: t('clientfiles.tabWhat') },
              { value: 'preview', label: t('clientfiles.tabPreview') },
            ]}
          />
          {side === 'what' ? <Things form={form} /> : <WhatTheyGet form={form} input={input} />}
        </div>
      </div>
      <div className={classes.foot}>
        {form.checkData && (
          <Note tone="bad" icon="warn" title={t('clientfiles.checkData')} text={t('clientfiles.tryAgain')} />
        )}
        {form.failure && <Note tone="bad" icon="warn" title={t('clientfiles.notSent')} text={form.failure} />}
        <DialogButtons
          onCancel={onClose}
          go={sms ? t('clientfiles.sendSms') : t('clientfiles.sendEmail')}
          icon="send"
          busy={form.sending}
          note={end && t('clientfiles.linkUntil', { date: longDate(end, language) })}
        />
      </div>
    </form>
  );
}

/**
 * Asks the client for files by SMS or e-mail: the dialog with the id `request-files`. A press beside it does not close
 * it; its cross does, and what was typed is there the next time.
 */
export function RequestFilesModal({ input, opened, onClose }: RequestFilesModalProps) {
  const t = useT();
  const form = useRequestForm(input);
  const end = requestWindowEnd(input);
  const days = end ? daysLeft(end, Date.now()) : null;
  const context = [
    input.contactPerson,
    days === null ? null : days === 0 ? t('clientfiles.lastDay') : t('clientfiles.daysLeft', { count: days }),
  ];
  const plain = form.sent !== null || !form.warned;
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={false}
      size={plain ? 520 : 960}
      centered
      classNames={plain ? undefined : { content: classes.content, inner: classes.inner }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header className={classes.header}>
          <div>
            <Modal.Title className={classes.title}>{t('clientfiles.title')}</Modal.Title>
            <p className={`${classes.context} num`}>
              <span data-whole>{t('clientfiles.context', { expedient: input.expedientNumber })}</span>
              {context.map((part) => part && ` · ${part}`)}
            </p>
          </div>
          <Modal.CloseButton aria-label={t('common.close')} />
        </Modal.Header>
        <Modal.Body p={0} className={classes.modalBody}>
          {form.sent ? (
            <Sent form={form} request={form.sent} onClose={onClose} />
          ) : form.warned ? (
            <Form form={form} input={input} onClose={onClose} />
          ) : (
            <Warning onGo={form.confirmWarning} onClose={onClose} />
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
