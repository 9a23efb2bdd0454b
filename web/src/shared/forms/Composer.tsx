import { Modal } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '@/api/errors';
import { errorText, useT } from '@/shared/i18n';
import { useUnsaved } from '@/shared/lib/use-unsaved';
import { Note } from '@/shared/ui/Note';
import classes from './composer.module.css';
import { type CheckedForm, useCheckedForm } from './use-checked-form';

interface ComposerOptions<V, P> {
  empty: (now: number) => V;
  /** What is wrong with each field now. */
  problemsOf: (values: V, now: number) => Partial<Record<keyof V & string, P>>;
  problemText: (field: string, problem: P) => string;
}

/** A message to many that a list page composes in a dialog. What was typed outlives a closed dialog. */
export function useComposer<V extends Record<string, unknown>, P>(options: ComposerOptions<V, P>) {
  const { empty, problemsOf, problemText } = options;
  const [opened, { open, close }] = useDisclosure(false);
  const [initialValues] = useState(() => empty(Date.now()));
  const form = useCheckedForm<V>({
    initialValues,
    problems: (values) =>
      Object.fromEntries(
        Object.entries(problemsOf(values, Date.now())).map(([field, problem]) => [
          field,
          problem && problemText(field, problem as P),
        ]),
      ) as Partial<Record<keyof V & string, string>>,
  });
  useUnsaved(form.form.isDirty());
  /** It is on its way: what was typed is no longer needed. */
  const sent = () => {
    form.form.setValues(empty(Date.now()) as Parameters<typeof form.form.setValues>[0]);
    form.form.resetDirty();
    form.form.clearErrors();
    close();
  };
  return { form, opened, open, close, sent };
}

interface ComposerModalProps {
  opened: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog of a composer; the whole window of a phone. */
export function ComposerModal({ opened, title, onClose, children }: ComposerModalProps) {
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={960} fullScreen={narrow} closeOnClickOutside={false}>
      {children}
    </Modal>
  );
}

interface ComposerFormProps<V extends Record<string, unknown>> {
  form: CheckedForm<V>;
  /** Before the fields are checked. */
  onTry: () => void;
  /** With right fields. */
  onSubmit: () => void;
  /** Of the last try; what stands beside its field is not said twice. */
  error: unknown;
  failed: string;
  preview: ReactNode;
  /** The way out and the way on. */
  foot: ReactNode;
  children: ReactNode;
}

/** Fields on the left, how it will look on the right, what to do below. */
export function ComposerForm<V extends Record<string, unknown>>(props: ComposerFormProps<V>) {
  const { form, onTry, onSubmit, error, failed, preview, foot, children } = props;
  const t = useT();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry();
    if (form.check()) onSubmit();
    else form.focusFirstError();
  };
  const told = error instanceof ApiError && error.errors.length > 0;
  return (
    <form ref={form.ref} className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.columns}>
        <div className={classes.fields}>{children}</div>
        {preview}
      </div>
      {error != null && !told && <Note tone="bad" icon="warn" title={failed} text={errorText(t, error)} />}
      {foot}
    </form>
  );
}
