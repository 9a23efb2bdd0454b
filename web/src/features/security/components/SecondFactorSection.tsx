import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { session, useRequiredSession } from '@/shared/session';
import { Section } from '@/shared/ui/Section';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { disableSecondFactor, newRecoveryCodes } from '../api';
import { EnrolModal } from './EnrolModal';
import { ProveModal } from './ProveModal';
import { RecoveryCodes } from './RecoveryCodes';
import classes from './security.module.css';

/** The stored user says whether the second factor is on, so it is told when that changes. */
function remember(has2fa: boolean): void {
  const current = session.current();
  if (current) void session.refresh({ ...current.user, has2fa }, current.menu);
}

/** On or off, recovery codes. */
export function SecondFactorSection() {
  const t = useT();
  const { user } = useRequiredSession();
  const [open, setOpen] = useState<'enrol' | 'renew' | 'disable' | null>(null);
  const close = () => setOpen(null);

  const disable = useMutation({
    mutationFn: (code: string) => disableSecondFactor(user._id, code),
    onSuccess: () => {
      close();
      remember(false);
      toast.ok({ title: t('security.turnedOff') });
    },
  });
  const renew = useMutation({ mutationFn: newRecoveryCodes });
  const failure = (error: Error | null) => error && errorText(t, error);

  return (
    <Section
      id="security-2fa"
      title={t('security.secondFactor')}
      state={
        user.has2fa ? (
          <Tag tone="ok" icon="check">
            {t('security.on')}
          </Tag>
        ) : (
          <Tag>{t('security.off')}</Tag>
        )
      }
      text={t('security.secondFactorText')}
    >
      <div className={classes.buttons}>
        {user.has2fa ? (
          <>
            <Button variant="default" onClick={() => setOpen('renew')}>
              {t('security.renewCodes')}
            </Button>
            <Button variant="subtle" data-tone="bad" onClick={() => setOpen('disable')}>
              {t('security.turnOff')}
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => setOpen('enrol')}>
            {t('security.turnOn')}
          </Button>
        )}
      </div>
      {open === 'enrol' && <EnrolModal onClose={close} onEnabled={() => remember(true)} />}
      {open === 'disable' && (
        <ProveModal
          title={t('security.turnOffTitle')}
          text={t('security.turnOffText')}
          label={t('security.turnOff')}
          danger
          busy={disable.isPending}
          failure={failure(disable.error)}
          onProve={disable.mutate}
          onType={disable.reset}
          onClose={close}
        />
      )}
      {open === 'renew' && !renew.data && (
        <ProveModal
          title={t('security.renewCodes')}
          text={t('security.renewText')}
          label={t('security.renewConfirm')}
          busy={renew.isPending}
          failure={failure(renew.error)}
          onProve={renew.mutate}
          onType={renew.reset}
          onClose={close}
        />
      )}
      {renew.data && (
        <Modal
          opened
          onClose={renew.reset}
          title={t('security.codes')}
          size={640}
          closeOnClickOutside={false}
          closeOnEscape={false}
          withCloseButton={false}
        >
          <RecoveryCodes
            codes={renew.data}
            onDone={() => {
              close();
              renew.reset();
            }}
          />
        </Modal>
      )}
    </Section>
  );
}
