import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { limits } from '@/api/generated/limits';
import { errorText, useT } from '@/shared/i18n';
import type { IncidenceInput, Opener } from '@/shared/lib/modals';
import { notice } from '@/shared/ui/dialogs';
import { keepIncidence, sendIncidence } from '../api';
import { draftOf, dropDraft, keepDraft } from '../drafts';
import { type Field, firstValues, type IncidenceValues, isTouched, missingFields, wrongFields } from '../model';

type Change = (before: IncidenceValues) => Partial<IncidenceValues>;

/** State of the incidence form: what is typed, what is missing, the draft of last time, and sending it. */
export function useIncidenceForm(input: IncidenceInput, onClose: () => void) {
  const t = useT();
  const client = useQueryClient();
  const [opener, setOpener] = useState<Opener>(input.opener);
  const [values, setValues] = useState(() => firstValues(input));
  const [offered, setOffered] = useState(() => draftOf(input.opener));
  const [submitted, setSubmitted] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const missing = missingFields(opener, values);
  const wrong = wrongFields(values);
  const words = {
    long: (field: Field) =>
      t('incidences.tooLong', { max: field === 'comments' ? limits.incidenceTextMax : limits.expedientMax }),
    phone: () => t('incidences.phoneWrong'),
  };
  const demand = (field: Field): string =>
    ({
      type: t('incidences.choose_type'),
      conference: t('incidences.choose_conference'),
      reason: t('incidences.choose_reason'),
      incidenceId: t('incidences.choose_incidence'),
      comments: opener === 'support' ? t('incidences.write_more') : t('incidences.write_comments'),
    })[field as 'type'];
  const errorOf = (field: Field): string | undefined => {
    const kind = wrong[field];
    if (kind) return words[kind](field);
    return submitted && missing.includes(field) ? demand(field) : undefined;
  };

  const set = (change: Partial<IncidenceValues> | Change) =>
    setValues((before) => {
      const next = { ...before, ...(typeof change === 'function' ? change(before) : change) };
      // Typing anew is no reason to lose what could not be sent: that waits until it is taken or thrown away.
      if (!offered && isTouched(next)) keepDraft(opener, next);
      return next;
    });

  const sending = useMutation({
    mutationFn: () => sendIncidence(opener, values),
    onSuccess: (incidence) => {
      dropDraft(opener);
      onClose();
      const answered = opener === 'support';
      void notice({
        tone: 'ok',
        title: answered ? t('incidences.answered') : incidence.number,
        text: answered ? t('incidences.answeredText', { number: incidence.number }) : t('incidences.registered'),
      });
      keepIncidence(client, incidence);
    },
    // The alert, then the modal closes. What was typed is offered the next time.
    onError: (error) => {
      keepDraft(opener, values);
      onClose();
      const text = `${errorText(t, error)} ${t('incidences.draftKept')}`;
      void notice({ tone: 'bad', title: t('incidences.sendError'), text });
    },
  });

  return {
    opener,
    values,
    form,
    errorOf,
    /** Sent in vain: the mandatory-fields alert. */
    mandatory: submitted && missing.length > 0,
    offered,
    sending: sending.isPending,
    set,
    restore: () => {
      if (offered) setValues(offered);
      setOffered(null);
    },
    discard: () => {
      dropDraft(opener);
      setOffered(null);
    },
    /** From the support opener to a new one. */
    beginNew: () => {
      setOpener('list-add');
      setValues(firstValues({ opener: 'list-add' }));
      setOffered(draftOf('list-add'));
      setSubmitted(false);
    },
    submit: () => {
      setSubmitted(true);
      if (missing.length === 0 && Object.keys(wrong).length === 0) return sending.mutate();
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    },
  };
}

export type IncidenceForm = ReturnType<typeof useIncidenceForm>;
