import { type FormErrors, schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '@/api/errors';
import { codeText, errorText, useT } from '@/shared/i18n';
import { takeCallLink } from '@/shared/lib/call-link';
import { session, useRequiredSession } from '@/shared/session';
import { companySms, openConference } from './api';
import { type LinkedCall, linkedCall } from './linked-call';
import {
  type ClientLanguage,
  type ConferenceType,
  emptyValues,
  formField,
  isForeign,
  isPrefill,
  smsPrefill,
  toRequest,
  type VideocallValues,
  videocallSchema,
} from './videocall-form';

// What was typed outlives a look at another page, never the session: it is personal data.
let draft: VideocallValues | null = null;
let linked: LinkedCall | null = null;
session.subscribe((current) => {
  if (!current) forget();
});

function forget(): void {
  draft = null;
  linked = null;
}

/** What another system filled in takes the place of what was typed. */
function readLink(): LinkedCall | null {
  const link = takeCallLink();
  if (link) {
    linked = linkedCall(link);
    draft = linked.values;
  }
  return linked;
}

export interface FormFailure {
  title: string;
  text: string;
  blocked: boolean;
}

/** The case that the form is opened for. */
export interface WantedCase {
  number: string;
  type: ConferenceType;
}

/** State, rules and sending of `/vp-form`. `onOpened` gets the id of the new conference. */
export function useVideocallForm(onOpened: (conferenceId: string) => void, wanted?: WantedCase) {
  const t = useT();
  const texts = useQuery(companySms(useRequiredSession().user._id)).data ?? null;
  const schema = useMemo(() => videocallSchema(t, texts !== null), [t, texts]);
  const [fromLink] = useState(readLink);
  const form = useForm<VideocallValues>({
    // Another case than the one being typed: its own form, from the beginning.
    initialValues: initialValues(wanted),
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: true,
    onValuesChange: (values) => {
      draft = values;
    },
  });

  // What the server sends by itself, unless something was typed before it was there.
  const { setFieldValue, getValues } = form;
  useEffect(() => {
    const { smsText, language } = getValues();
    if (texts && !smsText.trim()) setFieldValue('smsText', smsPrefill(language, texts));
  }, [texts, getValues, setFieldValue]);

  // Filled in by somebody else: what is wrong is said before a field was touched.
  const { validateField } = form;
  useEffect(() => {
    for (const name of fromLink?.given ?? []) validateField(name);
  }, [fromLink, validateField]);

  // What the server refused stays beside the field until its value changes; checks on blur would wipe it.
  const [refused, setRefused] = useState<Refused>({});

  const opening = useMutation({
    mutationFn: (values: VideocallValues) => openConference(toRequest(values, texts)),
    onSuccess: ({ conference }) => {
      forget();
      onOpened(conference._id);
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      const values = form.getValues();
      const found: Refused = {};
      for (const wrong of error.errors) {
        const field = formField(wrong.field);
        if (field) found[field] = { value: values[field], text: codeText(t, wrong.code) ?? wrong.message };
      }
      setRefused(found);
    },
  });

  // Focus goes to the first wrong field, whoever found it.
  const errors = mergeErrors(form.errors, refused, form.values);
  const hasErrors = Object.keys(errors).length;
  const failedAt = opening.submittedAt;
  useEffect(() => {
    if (opening.isError && hasErrors > 0 && failedAt > 0) focusFirstError();
  }, [opening.isError, hasErrors, failedAt]);

  const chooseLanguage = (language: ClientLanguage) => {
    const untouched = isPrefill(form.values.smsText, texts);
    form.setValues({ language, ...(untouched ? { smsText: smsPrefill(language, texts) } : {}) });
  };

  const submit = form.onSubmit(
    (values) => opening.mutate(values),
    () => setTimeout(focusFirstError),
  );

  const unplaced = opening.error instanceof ApiError && !opening.error.errors.some((wrong) => formField(wrong.field));
  const failure: FormFailure | null =
    opening.error && (unplaced || !(opening.error instanceof ApiError))
      ? {
          blocked: opening.error instanceof ApiError && opening.error.code.startsWith('VIDEO_CALL_NOT_ALLOWED'),
          title: t('videocall.failed'),
          text: errorText(t, opening.error),
        }
      : null;

  /** Props of a field, with its error of either side. */
  const field = (name: keyof VideocallValues) => ({ ...form.getInputProps(name), name, error: errors[name] });

  return {
    form,
    field,
    errors,
    submit,
    chooseLanguage,
    failure,
    fromLink,
    wantedCase: wanted?.number,
    /** The text of the SMS is not in the client's language. */
    foreign: isForeign(form.values, texts),
    /** Accents that make an SMS dearer are written plainly. */
    fold: texts?.accents ?? false,
    sending: opening.isPending,
  };
}

/** What was typed so far, unless another case was asked for. */
function initialValues(wanted: WantedCase | undefined): VideocallValues {
  if (!wanted || draft?.expedientNumber === wanted.number) return draft ?? emptyValues();
  return { ...emptyValues(), expedientNumber: wanted.number, type: wanted.type };
}

type Refused = Partial<Record<keyof VideocallValues, { value: unknown; text: string }>>;

/** The form's own errors, and the server's for fields that still hold what it refused. */
function mergeErrors(own: FormErrors, refused: Refused, values: VideocallValues): FormErrors {
  const still = Object.entries(refused).filter(([name, { value }]) => values[name as keyof VideocallValues] === value);
  return { ...Object.fromEntries(still.map(([name, { text }]) => [name, text])), ...own };
}

function focusFirstError(): void {
  document.querySelector<HTMLElement>('#videocall-form [aria-invalid="true"]')?.focus();
}
