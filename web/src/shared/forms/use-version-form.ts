import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, type FieldError } from '@/api/errors';
import { errorText, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { confirmLeaving, useUnsaved } from '@/shared/lib/use-unsaved';
import { confirm } from '@/shared/ui/dialogs';
import { useCheckedForm } from './use-checked-form';

interface VersionFormOptions<Values extends Record<string, unknown>, Problem extends string, Published> {
  initialValues: Values;
  /** What is wrong with each field; `today` is the day in Madrid. */
  problems: (values: Values, today: string) => Partial<Record<string, Problem>>;
  problemText: (problem: Problem, field: string) => string;
  publish: (values: Values) => Promise<Published>;
  onPublished: (published: Published) => void;
  onClose: () => void;
  /** Asked before it is published. */
  question: (values: Values) => { title: string; text: string; confirm: string };
  /** Something was changed that is no field of the form. */
  changed?: (values: Values) => boolean;
  /** Called before each try; false when what is no field of the form is wrong. */
  complete?: () => boolean;
  /** Shows those refusals that belong to no field, and answers those that it has no place for either. */
  place?: (homeless: FieldError[]) => FieldError[];
}

/** A form whose content is published as a new version: checked, asked about, published; left only on purpose. */
export function useVersionForm<Values extends Record<string, unknown>, Problem extends string, Published>(
  options: VersionFormOptions<Values, Problem, Published>,
) {
  const t = useT();
  const { changed = () => false, complete = () => true, place = (homeless) => homeless } = options;
  const [failure, setFailure] = useState<string | null>(null);
  const form = useCheckedForm<Values>({
    initialValues: options.initialValues,
    problems: (values) =>
      Object.fromEntries(
        Object.entries(options.problems(values, madridDay(new Date().toISOString()))).map(([field, problem]) => [
          field,
          problem && options.problemText(problem, field),
        ]),
      ) as Partial<Record<keyof Values, string>>,
  });
  const dirty = form.form.isDirty() || changed(form.values);
  useUnsaved(dirty);
  const publishing = useMutation({
    mutationFn: () => options.publish(form.values),
    onSuccess: options.onPublished,
    onError: (error) => {
      const unplaced = place(form.refuse(error));
      const known = error instanceof ApiError && error.errors.length > 0 && unplaced.length === 0;
      setFailure(known ? null : errorText(t, error));
      form.focusFirstError();
    },
  });
  const submit = async () => {
    setFailure(null);
    const right = complete();
    if (!form.check() || !right) return form.focusFirstError();
    if (await confirm(options.question(form.values))) publishing.mutate();
  };
  const leave = async () => {
    if (!dirty || (await confirmLeaving())) options.onClose();
  };
  return { form, dirty, failure, publishing: publishing.isPending, submit, leave };
}
