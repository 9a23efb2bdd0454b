import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { MomentField } from '@/shared/forms/MomentField';
import { useT } from '@/shared/i18n';
import { madridMoment, madridWall } from '@/shared/lib/dates';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { nameMoment } from './appointment';
import { firstMoment, momentProblem } from './moment';
import { useChange } from './use-change';
import classes from './WayOutModals.module.css';

interface AppointmentModalProps {
  opened: boolean;
  onClose: () => void;
  conferenceId: string;
}

/** A day and an hour, by the clock in Madrid. The client gets a message with the link. */
export function AppointmentModal({ opened, onClose, conferenceId }: AppointmentModalProps) {
  const t = useT();
  const [wall, setWall] = useState<string | null>(null);
  const [checked, setChecked] = useState(false);
  const { run, busy } = useChange();
  useEffect(() => {
    if (!opened) return;
    setWall(firstMoment(Date.now()));
    setChecked(false);
  }, [opened]);
  const problem = momentProblem(wall, Date.now());
  const texts = {
    empty: t('videocall.e_visitEmpty'),
    soon: t('videocall.e_visitSoon'),
    far: t('videocall.e_visitFar'),
  };
  const send = async () => {
    setChecked(true);
    const at = madridMoment(wall);
    if (!at || momentProblem(wall, Date.now())) return;
    if (await run(() => nameMoment(conferenceId, at))) onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('videocall.w_visitTitle')} size={440}>
      <div className={classes.form}>
        <p className={classes.context}>{t('videocall.w_visitText')}</p>
        <MomentField
          label={t('videocall.w_visitWhen')}
          value={wall}
          onChange={setWall}
          min={madridWall(Date.now()).slice(0, 10)}
          error={checked && problem ? texts[problem] : undefined}
        />
        <DialogButtons onCancel={onClose} go={t('videocall.w_visitSend')} onGo={() => void send()} busy={busy} />
      </div>
    </Modal>
  );
}
