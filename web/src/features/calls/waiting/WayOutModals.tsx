import { Modal, TextInput } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, useState } from 'react';
import { e164, phoneProblem } from '@/shared/checks/client-phone';
import { PhoneField } from '@/shared/forms/PhoneField';
import { useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import type { WaitingActions } from './use-waiting-actions';
import classes from './WayOutModals.module.css';

export { CodeModal } from './CodeModal';

interface ModalProps {
  opened: boolean;
  onClose: () => void;
}

interface ActionModalProps extends ModalProps {
  actions: WaitingActions;
}

/** The link by e-mail, to an address asked for here. */
export function EmailModal({ opened, onClose, actions }: ActionModalProps) {
  const t = useT();
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const to = email.trim();
    if (!to) return setError(t('videocall.e_emailRequired'));
    if (!/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]{2,}$/.test(to)) return setError(t('videocall.e_emailInvalid'));
    if (await actions.resend('email', to)) onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('videocall.w_emailTitle')} size={440}>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <p className={classes.context}>{t('videocall.w_sameLink')}</p>
        <TextInput
          data-autofocus
          label={t('videocall.email')}
          type="email"
          maxLength={100}
          autoComplete="off"
          value={email}
          error={error}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setError(null);
          }}
        />
        <DialogButtons onCancel={onClose} go={t('videocall.sendEmail')} busy={actions.sending} />
      </form>
    </Modal>
  );
}

/** The link by SMS to another phone. */
export function NumberModal({ opened, onClose, actions }: ActionModalProps) {
  const t = useT();
  const [country, setCountry] = useState('ES');
  const [phone, setPhone] = useState('');
  const [error, setError] = useState<string | null>(null);
  const texts = {
    required: t('videocall.e_phoneRequired'),
    short: t('videocall.e_phoneShort'),
    long: t('videocall.e_phoneLong'),
    invalid: t('videocall.e_phoneInvalid'),
    mobile: t('videocall.e_phoneMobile'),
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const problem = phoneProblem(phone, country, true);
    if (problem) return setError(texts[problem]);
    if (await actions.resend('sms', e164(phone, country) ?? phone.trim())) onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('videocall.w_numberTitle')} size={440}>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <p className={classes.context}>{t('videocall.w_sameLink')}</p>
        <PhoneField
          label={t('videocall.phone')}
          country={country}
          onCountry={setCountry}
          phone={phone}
          onPhone={(value) => {
            setPhone(value);
            setError(null);
          }}
          error={error}
        />
        <DialogButtons onCancel={onClose} go={t('videocall.sendSms')} busy={actions.sending} />
      </form>
    </Modal>
  );
}

/** The link as a QR, for a client who stands next to the adjuster or to a colleague. */
export function QrModal({ opened, onClose, link }: ModalProps & { link: string }) {
  const t = useT();
  return (
    <Modal opened={opened} onClose={onClose} title={t('videocall.w_qrTitle')} size={440}>
      <div className={classes.center}>
        <p className={classes.context}>{t('videocall.w_qrText')}</p>
        <div className={classes.qr}>
          <QRCodeSVG value={link} size={248} level="M" marginSize={0} title={t('videocall.w_qrTitle')} />
        </div>
        <span className={`${classes.address} num`}>{link}</span>
      </div>
    </Modal>
  );
}

export function CancelModal({ opened, onClose, actions }: ActionModalProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    await actions.cancel();
    setBusy(false);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('videocall.w_cancelTitle')} size={440}>
      <p className={classes.context}>{t('videocall.w_cancelText')}</p>
      <DialogButtons
        onCancel={onClose}
        cancel={t('videocall.w_cancelNo')}
        go={t('videocall.w_cancel')}
        onGo={() => void cancel()}
        danger
        busy={busy}
        focus="cancel"
        apart
      />
    </Modal>
  );
}
