import type { T } from '@/shared/i18n';
import type { RequestFilesInput } from '@/shared/lib/modals';
import { session } from '@/shared/session';
import { type RequestValues, subjectFor } from './model';

interface Draft {
  values: RequestValues;
  /** The warning was confirmed: it is shown once. */
  warned: boolean;
}

// What was typed outlives the dialog: closed by mistake, it is there again. Only in memory, and only for this session.
const drafts = new Map<string, Draft>();

session.subscribe((current) => {
  if (!current) drafts.clear();
});

/** What a request begins with. */
export function firstValues(t: T, input: RequestFilesInput, adjuster: string, phone: string): RequestValues {
  const name = input.contactPerson?.trim().split(/\s+/)[0];
  return {
    channel: 'sms',
    phone,
    email: input.email ?? '',
    emailTitle: subjectFor(t, input.expedientNumber),
    smsText: t('clientfiles.defaultSms'),
    emailText: name
      ? t('clientfiles.defaultEmail', { name, adjuster })
      : t('clientfiles.defaultEmailNoName', { adjuster }),
    pageText: t(input.type === 2 ? 'clientfiles.defaultPage2' : 'clientfiles.defaultPage1'),
    ticked: {},
    others: [],
    remind: true,
    notify: true,
  };
}

export const draftOf = (conferenceId: string): Draft | null => drafts.get(conferenceId) ?? null;
export const keepDraft = (conferenceId: string, draft: Draft): void => void drafts.set(conferenceId, draft);
export const dropDraft = (conferenceId: string): void => void drafts.delete(conferenceId);
