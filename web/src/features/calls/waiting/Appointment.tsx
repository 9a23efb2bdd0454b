import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ConferenceDetails } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { longDateTime } from '@/shared/lib/dates';
import { Note } from '@/shared/ui/Note';
import { appointmentQuery, cancelAppointment, nameMoment } from './appointment';
import { useChange } from './use-change';
import classes from './WayOutModals.module.css';

interface AppointmentProps {
  details: ConferenceDetails;
  name: string;
  onOther: () => void;
}

/** The appointment to come: who has to answer, and what ours can do about it (VISIT-2). */
export function Appointment({ details, name, onOther }: AppointmentProps) {
  const t = useT();
  const language = useLanguage();
  const { data: appointment } = useQuery(appointmentQuery(details));
  const { run, busy } = useChange();
  if (!appointment || details.conference.closed) return null;
  const id = details.conference._id;
  const agreed = appointment.state === 'agreed';
  const asked = !agreed && appointment.proposedBy === 'client';
  const key = agreed ? 'videocall.w_visitAgreed' : asked ? 'videocall.w_visitAsked' : 'videocall.w_visitProposed';
  return (
    <Note
      tone={agreed ? 'ok' : asked ? 'warn' : 'quiet'}
      icon="cal"
      text={t(key, { when: longDateTime(appointment.at, language), name })}
      action={
        <div className={classes.visit}>
          {asked && (
            <Button size="xs" loading={busy} onClick={() => void run(() => nameMoment(id, appointment.at))}>
              {t('videocall.w_visitAccept')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onOther}>
            {t('videocall.w_visitOther')}
          </Button>
          <Button size="xs" variant="subtle" loading={busy} onClick={() => void run(() => cancelAppointment(id))}>
            {t('videocall.w_visitCancel')}
          </Button>
        </div>
      }
    />
  );
}
