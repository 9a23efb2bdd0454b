import { Modal, Skeleton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useEffect, useState } from 'react';
import { CodeField, isCode } from '@/shared/forms/CodeField';
import { errorText, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { useRequiredSession } from '@/shared/session';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { IconAction } from '@/shared/ui/IconAction';
import { StateView } from '@/shared/ui/StateView';
import { beginEnrolment, confirmEnrolment, type Enrolment } from '../api';
import { RecoveryCodes } from './RecoveryCodes';
import classes from './security.module.css';

interface EnrolModalProps {
  onClose: () => void;
  /** The server has turned it on; the codes are still on the screen. */
  onEnabled: () => void;
}

/** Turns the second factor on: QR and secret, a first code, then the ten recovery codes. */
export function EnrolModal({ onClose, onEnabled }: EnrolModalProps) {
  const t = useT();
  const { user } = useRequiredSession();
  const begin = useMutation({ mutationFn: beginEnrolment });
  const confirm = useMutation({
    mutationFn: ({ code, secret }: { code: string; secret: string }) => confirmEnrolment(user._id, code, secret),
    onSuccess: onEnabled,
  });
  const { mutate: start } = begin;
  useEffect(() => start(), [start]);

  const codes = confirm.data;
  const body = () => {
    if (codes) return <RecoveryCodes codes={codes} onDone={onClose} />;
    if (begin.data) {
      return (
        <Scan
          enrolment={begin.data}
          busy={confirm.isPending}
          failure={confirm.error && errorText(t, confirm.error)}
          onCode={(code) => confirm.mutate({ code, secret: begin.data.secret })}
          onType={confirm.reset}
          onClose={onClose}
        />
      );
    }
    if (begin.error) {
      const retry = { label: t('common.retry'), icon: 'refresh' as const, run: start };
      const text = errorText(t, begin.error);
      return <StateView icon="warn" tone="bad" title={t('security.enrolFailed')} text={text} action={retry} />;
    }
    return <Skeleton h={240} />;
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={codes ? t('security.codes') : t('security.enrolTitle')}
      size={640}
      // The codes are shown this once: a stray click or key must not lose them.
      closeOnClickOutside={false}
      closeOnEscape={!codes}
      withCloseButton={!codes}
    >
      {body()}
    </Modal>
  );
}

interface ScanProps {
  enrolment: Enrolment;
  busy: boolean;
  failure: string | null;
  onCode: (code: string) => void;
  onType: () => void;
  onClose: () => void;
}

function Scan({ enrolment, busy, failure, onCode, onType, onClose }: ScanProps) {
  const t = useT();
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  // A refused code is used up.
  useEffect(() => {
    if (failure) setCode('');
  }, [failure]);
  const { secret, otpauthUrl } = enrolment;

  const send = (value: string) => {
    if (!isCode(value, false)) return setMissing(true);
    if (!busy) onCode(value);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(code);
  };
  return (
    <form onSubmit={submit} noValidate>
      <p className={classes.lead}>{t('security.enrolText')}</p>
      <div className={classes.enrol}>
        <div className={classes.qr}>
          <QRCodeSVG value={otpauthUrl} title={t('security.qrTitle')} size={176} marginSize={2} level="M" />
        </div>
        <div className={classes.steps}>
          <p>{t('security.enrolScan')}</p>
          <div>
            <p>{t('security.enrolByHand')}</p>
            <div className={classes.secret}>
              <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
              <IconAction
                icon="copy"
                size={28}
                label={t('security.copySecret')}
                onClick={() => void copyText(secret)}
              />
            </div>
          </div>
          <p>{t('security.enrolCode')}</p>
        </div>
      </div>
      <CodeField
        value={code}
        onChange={(value) => {
          setCode(value);
          setMissing(false);
          if (failure) onType();
        }}
        onComplete={send}
        disabled={busy}
        error={missing ? t('login.mfaCode') : (failure ?? false)}
      />
      <DialogButtons onCancel={onClose} go={t('security.turnOn')} busy={busy} apart />
    </form>
  );
}
