import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { ConferenceDetails } from '@/api/types';

export type Appointment = components['schemas']['AppointmentView'];

const on = (conferenceId: string) => ({ path: { id: conferenceId } });

/** How often the appointment has changed, as far as the tracks say: what was read before a change is old. */
const changes = ({ tracks }: ConferenceDetails) => tracks.filter(({ type }) => type.startsWith('APPOINTMENT_')).length;

/** The appointment to come. Asked for again with every track about it, whoever made it. */
export const appointmentQuery = (details: ConferenceDetails) =>
  queryOptions({
    queryKey: ['get_appointment', details.conference._id, changes(details)],
    queryFn: async ({ signal }): Promise<Appointment | null> => {
      const given = { ...on(details.conference._id), signal };
      return (await operation('get', '/api/v1/conference-appointment/{id}', given)).appointment ?? null;
    },
    // Without any track there is none.
    enabled: changes(details) > 0,
  });

/** Names a moment; the one that the client named is thereby agreed. Errors: `APPOINTMENT_*`, `MESSAGES_CEILING`. */
export const nameMoment = (conferenceId: string, at: string) =>
  operation('post', '/api/v1/conference-appointment/{id}', { ...on(conferenceId), body: { at } });

export const cancelAppointment = (conferenceId: string) =>
  operation('delete', '/api/v1/conference-appointment/{id}', on(conferenceId));
