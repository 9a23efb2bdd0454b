import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { conferenceShots } from '@/shared/conference/api';
import { codeText, useT } from '@/shared/i18n';
import type { RequestFilesInput } from '@/shared/lib/modals';
import { useRequiredSession } from '@/shared/session';
import { requestsQuery, sendRequest } from '../api';
import { draftOf, dropDraft, firstValues, keepDraft } from '../drafts';
import {
  allThings,
  formField,
  isTicked,
  type Problems,
  problems,
  type RequestValues,
  sendError,
  toBody,
} from '../model';

/** As people write it, without the prefix that is the default. */
function written(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone, 'ES');
  if (!parsed) return phone;
  return parsed.countryCallingCode === '34' ? parsed.formatNational() : parsed.formatInternational();
}

/** State of the request-files dialog: what is typed, what is wrong with it, and sending it. */
export function useRequestForm(input: RequestFilesInput) {
  const t = useT();
  const client = useQueryClient();
  const { user } = useRequiredSession();
  const { conferenceId } = input;
  // True or the text 'true'.
  const requested = String(input.filesRequested) === 'true';
  const [draft, setDraft] = useState(
    () =>
      draftOf(conferenceId) ?? {
        values: firstValues(t, input, user.name, written(input.phoneNumber)),
        warned: false,
      },
  );
  const [left, setLeft] = useState<Partial<Record<keyof Problems, boolean>>>({});
  const [submitted, setSubmitted] = useState(false);
  const [refused, setRefused] = useState<{ values: RequestValues; texts: Problems }>();
  const form = useRef<HTMLFormElement>(null);

  const shots = useQuery(conferenceShots(conferenceId));
  const things = allThings(t, shots.data ?? [], input.type ?? 1, draft.values.others);
  const asked = things.filter((thing) => isTicked(thing, draft.values.ticked));
  const wrong = problems(t, draft.values, requested, asked.length);
  // What the server refused stays beside its field until that field changes.
  const said = Object.entries(refused?.texts ?? {}).filter(
    ([field]) => refused?.values[field as keyof RequestValues] === draft.values[field as keyof RequestValues],
  );
  const shown: Problems = {
    ...Object.fromEntries(Object.entries(wrong).filter(([field]) => submitted || left[field as keyof Problems])),
    ...Object.fromEntries(said),
  };

  const keep = (next: typeof draft) => {
    setDraft(next);
    keepDraft(conferenceId, next);
  };
  const focusFirst = () =>
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]:not([disabled])')?.focus());

  const sending = useMutation({
    mutationFn: () => sendRequest(toBody(draft.values, conferenceId, requested, asked)),
    onSuccess: () => {
      dropDraft(conferenceId);
      void client.invalidateQueries({ queryKey: requestsQuery(conferenceId).queryKey });
      void client.invalidateQueries({ queryKey: ['get_conference_media', conferenceId] });
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      const texts: Problems = {};
      for (const { field, code, message } of error.errors) {
        const own = formField(field, draft.values.channel);
        if (own) texts[own] = message || (codeText(t, code) ?? t('clientfiles.checkData'));
      }
      setRefused({ values: draft.values, texts });
      focusFirst();
    },
  });
  return {
    values: draft.values,
    warned: draft.warned,
    requested,
    shots,
    things,
    asked,
    errors: shown,
    /** Sent in vain, and something is still wrong. */
    checkData: submitted && Object.keys(wrong).length > 0,
    failure: sending.isError && !sending.isPending ? sendError(t, sending.error) : null,
    sending: sending.isPending,
    /** The request that was sent. */
    sent: sending.data ?? null,
    form,
    set: (changed: Partial<RequestValues>) => keep({ ...draft, values: { ...draft.values, ...changed } }),
    leave: (field: keyof Problems) => setLeft({ ...left, [field]: true }),
    confirmWarning: () => keep({ ...draft, warned: true }),
    submit: () => {
      setSubmitted(true);
      if (Object.keys(wrong).length > 0 || !conferenceId) return void focusFirst();
      sending.mutate();
    },
  };
}

export type RequestForm = ReturnType<typeof useRequestForm>;
