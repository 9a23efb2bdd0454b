import { Modal, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { CALLBACK_MAX_MS, CALLBACK_MIN_MS, callbackProblem, localValue, minutesAhead, tomorrowAtNine } from '../model';
import { whenText } from '../words';
import classes from './CallbackModal.module.css';

interface CallbackModalProps {
  opened: boolean;
  customer: string | null;
  /** The request leaves the queue for it. */
  leavesQueue?: boolean;
  /** RFC 3339 of the time agreed before. */
  initial?: string | null;
  sending?: boolean;
  onClose: () => void;
  /** With an RFC 3339 moment. */
  onChosen: (at: string) => void;
}

/** "Llámenme a una hora": three usual times at one touch, or any within 14 days. Times are those of this device's clock. */
export function CallbackModal({
  opened,
  customer,
  leavesQueue,
  initial,
  sending,
  onClose,
  onChosen,
}: CallbackModalProps) {
  const t = useT();
  const language = useLanguage();
  const [now, setNow] = useState(() => Date.now());
  const [value, setValue] = useState('');
  const [checked, setChecked] = useState(false);
  useEffect(() => {
    if (!opened) return;
    const moment = Date.now();
    setNow(moment);
    setValue(localValue(initial ? new Date(initial).getTime() : minutesAhead(30, moment)));
    setChecked(false);
  }, [opened, initial]);
  const usual = [
    { label: t('videocallrequests.callbackIn30'), at: minutesAhead(30, now) },
    { label: t('videocallrequests.callbackIn60'), at: minutesAhead(60, now) },
    { label: t('videocallrequests.callbackTomorrow'), at: tomorrowAtNine(now) },
  ];
  const problem = callbackProblem(value, Date.now());
  const texts = {
    empty: t('videocallrequests.e_callbackEmpty'),
    soon: t('videocallrequests.e_callbackSoon'),
    far: t('videocallrequests.e_callbackFar'),
  };
  const choose = () => {
    setChecked(true);
    if (!callbackProblem(value, Date.now())) onChosen(new Date(value).toISOString());
  };
  return (
    <Modal opened={opened} onClose={onClose} size={440} title={t('videocallrequests.callbackTitle')}>
      <p className={classes.text}>
        {customer ? t('videocallrequests.callbackText', { customer }) : t('videocallrequests.callbackTextNobody')}
        {leavesQueue && ` ${t('videocallrequests.callbackWithdraws')}`}
      </p>
      <fieldset className={classes.usual} aria-label={t('videocallrequests.callbackWhen')}>
        {usual.map(({ label, at }) => {
          const chosen = value === localValue(at);
          return (
            <button
              key={label}
              type="button"
              className={classes.time}
              aria-pressed={chosen}
              onClick={() => setValue(localValue(at))}
            >
              <b>{label}</b>
              <span className="num">{whenText(t, language, new Date(at).toISOString(), now)}</span>
            </button>
          );
        })}
      </fieldset>
      <TextInput
        type="datetime-local"
        label={t('videocallrequests.callbackOther')}
        classNames={{ input: 'num' }}
        min={localValue(now + CALLBACK_MIN_MS)}
        max={localValue(now + CALLBACK_MAX_MS)}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // The dialog hangs in a form of its own meaning.
          event.preventDefault();
          choose();
        }}
        onBlur={() => setChecked(true)}
        error={checked && problem ? texts[problem] : undefined}
      />
      <DialogButtons onCancel={onClose} go={t('videocallrequests.callbackSave')} onGo={choose} busy={sending} apart />
    </Modal>
  );
}
