import type { ParticipantView, People } from '@/rtc';
import type { T } from '@/shared/i18n';

/** How a participant is called on screen. `clientName` is the contact's full name or null. */
export function displayName(
  t: T,
  participant: Pick<ParticipantView, 'kind' | 'name'>,
  clientName: string | null,
): string {
  if (participant.kind === 'client') return clientName || participant.name || t('call.theClient');
  return participant.name || t('call.colleague');
}

/** The others whose microphone is on, with its track. */
export function audible(people: People): Array<{ identity: string; trackSid: string }> {
  return people.others.flatMap(({ identity, microphone }) =>
    microphone && !microphone.muted ? [{ identity, trackSid: microphone.sid }] : [],
  );
}
