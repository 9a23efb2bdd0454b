import { type FormErrors, schemaResolver, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '@/api/errors';
import { codeText, errorText, useT } from '@/shared/i18n';
import { takeCallLink } from '@/shared/lib/call-link';
import { session } from '@/shared/session';
import { openConference } from './api';
import { type LinkedCall, linkedCall } from './linked-call';
import {
  type ClientLanguage,
  emptyValues,
  formField,
  SMS_DEFAULT,
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

/** State, rules and sending of `/vp-form`. `onOpened` gets the id of the new conference. */
export function useVideocallForm(onOpened: (conferenceId: string) => void) {
  const t = useT();
  const schema = useMemo(() => videocallSchema(t), [t]);
  const [fromLink] = useState(readLink);
  const form = useForm<VideocallValues>({
    initialValues: draft ?? emptyValues(),
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: true,
    onValuesChange: (values) => {
      draft = values;
    },
  });

  // Filled in by somebody else: what is wrong is said before a field was touched.
  const { validateField } = form;
  useEffect(() => {
    for (const name of fromLink?.given ?? []) validateField(name);
  }, [fromLink, validateField]);

  // What the server refused stays beside the field until its value changes; checks on blur would wipe it.
  const [refused, setRefused] = useState<Refused>({});

  const opening = useMutation({
    mutationFn: (values: VideocallValues) => openConference(toRequest(values)),
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
    const untouched = Object.values(SMS_DEFAULT).includes(form.values.smsText.trim());
    form.setValues({ language, ...(untouched ? { smsText: SMS_DEFAULT[language] } : {}) });
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

  return { form, field, errors, submit, chooseLanguage, failure, fromLink, sending: opening.isPending };
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
