import { type UseFormReturnType, useForm } from '@mantine/form';
import { type RefObject, useRef, useState } from 'react';
import { ApiError, type FieldError } from '@/api/errors';
import { codeText, useT } from '@/shared/i18n';

type Texts<V> = Partial<Record<keyof V & string, string>>;

interface Options<V> {
  initialValues: V;
  /** What is wrong with these values, as texts beside the fields. Runs on blur and on `check`. */
  problems: (values: V) => Texts<V>;
  /** The form's name of a field of the server's answer, when it is another one. */
  rename?: Record<string, keyof V & string>;
}

export interface CheckedForm<V> {
  form: UseFormReturnType<V>;
  values: V;
  /** Of either side, by field. */
  errors: Texts<V>;
  /** Props of a Mantine input. */
  field: (name: keyof V & string) => ReturnType<UseFormReturnType<V>['getInputProps']> & { name: string };
  set: (values: Partial<V>) => void;
  /** Checks every field and shows what is wrong. True when nothing is. */
  check: () => boolean;
  /** Puts a server's field errors beside the fields. Answers those that no field of this form stands for. */
  refuse: (error: unknown) => FieldError[];
  /** Whether the fields say all that this answer refused: then nothing is left to be said above the buttons. */
  covers: (error: unknown) => boolean;
  /** To be put on the `form` element; `focusFirstError` looks inside it. */
  ref: RefObject<HTMLFormElement | null>;
  focusFirstError: () => void;
}

type Refused<V> = Partial<Record<keyof V & string, { value: unknown; text: string }>>;

/**
 * A form whose errors come from its own rules and from the server, side by side with what was typed.
 * What the server refused stays until that value changes, so that leaving the field does not wipe it.
 */
export function useCheckedForm<V extends Record<string, unknown>>(options: Options<V>): CheckedForm<V> {
  const t = useT();
  const ref = useRef<HTMLFormElement | null>(null);
  const [refused, setRefused] = useState<Refused<V>>({});
  const form = useForm<V>({
    initialValues: options.initialValues,
    // Mantine takes the absence of a key as "right"; an empty text would count as wrong.
    validate: (values) => options.problems(values) as Record<string, string>,
    validateInputOnBlur: true,
  });
  const { values } = form;
  const still = (Object.entries(refused) as [keyof V & string, { value: unknown; text: string }][])
    .filter(([name, { value }]) => values[name] === value)
    .map(([name, { text }]) => [name, text]);
  const errors = { ...Object.fromEntries(still), ...form.errors } as Texts<V>;

  const nameOf = ({ field }: FieldError) => {
    const bare = field.split('.').at(-1) ?? '';
    return options.rename?.[bare] ?? bare;
  };
  const refuse = (error: unknown) => {
    if (!(error instanceof ApiError)) return [];
    const found: Refused<V> = {};
    const homeless: FieldError[] = [];
    for (const wrong of error.errors) {
      const name = nameOf(wrong);
      if (name in values)
        found[name as keyof V & string] = {
          value: values[name],
          text: wrong.message || (codeText(t, wrong.code) ?? ''),
        };
      else homeless.push(wrong);
    }
    setRefused(found);
    return homeless;
  };

  return {
    form,
    values,
    errors,
    field: (name) => ({ ...form.getInputProps(name), name, error: errors[name] }),
    set: (changed) => form.setValues(changed as Parameters<typeof form.setValues>[0]),
    check: () => !form.validate().hasErrors && still.length === 0,
    refuse,
    covers: (error) =>
      error instanceof ApiError && error.errors.length > 0 && error.errors.every((wrong) => nameOf(wrong) in values),
    ref,
    // After the errors are on the page.
    focusFirstError: () =>
      setTimeout(() => ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]:not([disabled])')?.focus()),
  };
}
