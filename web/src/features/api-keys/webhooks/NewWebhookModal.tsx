import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useT } from '@/shared/i18n';
import { Note } from '@/shared/ui/Note';
import keys from '../components/Keys.module.css';
import { ShownOnce } from '../components/ShownOnce';
import { addWebhook, refreshWebhooks } from './api';
import { eventText } from './words';

/** How an address begins. */
const SCHEME = 'https://';

interface NewWebhookModalProps {
  opened: boolean;
  customerId: string | null;
  /** What an address can be told. */
  events: string[];
  onClose: () => void;
}

/** An address and what it is told; then, in the same dialog, its secret, which is shown this once. */
export function NewWebhookModal({ opened, onClose, ...rest }: NewWebhookModalProps) {
  const t = useT();
  const [secret, setSecret] = useState<string | null>(null);
  useEffect(() => {
    if (opened) setSecret(null);
  }, [opened]);
  const kept = secret !== null;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={kept ? t('apikeys.secretTitle') : t('apikeys.hookAdd')}
      size={640}
      closeOnClickOutside={!kept}
      closeOnEscape={!kept}
      withCloseButton={!kept}
    >
      {kept ? (
        <ShownOnce
          text={t('apikeys.secretText')}
          value={secret}
          copy={t('apikeys.copySecret')}
          testId="new-secret"
          onDone={onClose}
        />
      ) : (
        <Form {...rest} onClose={onClose} onAdded={setSecret} />
      )}
    </Modal>
  );
}

interface FormProps extends Omit<NewWebhookModalProps, 'opened'> {
  onAdded: (secret: string) => void;
}

function Form({ customerId, events: all, onClose, onAdded }: FormProps) {
  const t = useT();
  const queries = useQueryClient();
  const [failed, setFailed] = useState<string | null>(null);
  const { values, errors, field, set, check, refuse, ref, focusFirstError } = useCheckedForm({
    initialValues: { url: '', events: all },
    problems: ({ url, events }) => ({
      ...(!url.trim() && { url: t('errors.required') }),
      ...(url.trim() && !/^https:\/\/[^/]/i.test(url.trim()) && { url: t('errors.webhook_address') }),
      ...(events.length === 0 && { events: t('apikeys.eventsNeeded') }),
    }),
  });
  const adding = useMutation({
    mutationFn: () => addWebhook(customerId, values.url.trim(), values.events),
    onSuccess: ({ secret }) => {
      onAdded(secret);
      return refreshWebhooks(queries);
    },
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
        if (check()) adding.mutate();
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
        {failed && <Note tone="bad" icon="warn" title={t('apikeys.hookAddFailed')} text={failed} />}
        <div className={keys.actions}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={adding.isPending}>
            {t('apikeys.hookAdd')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
