import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import keys from '../components/Keys.module.css';
import { eventText } from './words';

/** How an address begins. */
const SCHEME = 'https://';

interface WebhookFormProps {
  /** What an address can be told. */
  all: string[];
  initial: { url: string; events: string[] };
  /** The button's word. */
  submit: string;
  /** What is said over a refusal that belongs to no field. */
  failed: string;
  onSubmit: (url: string, events: string[]) => Promise<void>;
  onCancel: () => void;
}

/** An address and what it is told. */
export function WebhookForm({ all, initial, submit, failed: title, onSubmit, onCancel }: WebhookFormProps) {
  const t = useT();
  const [failed, setFailed] = useState<string | null>(null);
  const { values, errors, field, set, check, refuse, ref, focusFirstError } = useCheckedForm({
    initialValues: initial,
    problems: ({ url, events }) => ({
      ...(!url.trim() && { url: t('errors.required') }),
      ...(url.trim() && !/^https:\/\/[^/]/i.test(url.trim()) && { url: t('errors.webhook_address') }),
      ...(events.length === 0 && { events: t('apikeys.eventsNeeded') }),
    }),
  });
  const sending = useMutation({
    mutationFn: () => onSubmit(values.url.trim(), values.events),
    onError: (error) => {
      const homeless = refuse(error);
      const placed = error && 'errors' in error && (error.errors as unknown[]).length > homeless.length;
      setFailed(placed ? null : errorText(t, error));
      focusFirstError();
    },
  });
  return (
    <form
      ref={ref}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setFailed(null);
        if (check()) sending.mutate();
        else focusFirstError();
      }}
    >
      <Stack gap={20}>
        <TextInput
          label={t('apikeys.hookUrl')}
          description={t('apikeys.hookUrlText')}
          placeholder={SCHEME}
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={1000}
          required
          data-autofocus
          {...field('url')}
        />
        <Checkbox.Group
          label={t('apikeys.events')}
          description={t('apikeys.eventsText')}
          value={values.events}
          error={errors.events}
          onChange={(events) => set({ events })}
        >
          <Stack gap={10} mt={10}>
            {all.map((event) => (
              <Checkbox
                key={event}
                value={event}
                label={eventText(t, event)}
                description={<code className={keys.wire}>{event}</code>}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        {failed && <Note tone="bad" icon="warn" title={title} text={failed} />}
        <DialogButtons onCancel={onCancel} go={submit} busy={sending.isPending} />
      </Stack>
    </form>
  );
}
