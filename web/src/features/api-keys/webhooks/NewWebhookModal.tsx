import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useT } from '@/shared/i18n';
import { ShownOnce } from '../components/ShownOnce';
import { addWebhook, refreshWebhooks } from './api';
import { WebhookForm } from './WebhookForm';

interface NewWebhookModalProps {
  opened: boolean;
  customerId: string | null;
  /** What an address can be told. */
  events: string[];
  onClose: () => void;
}

/** An address and what it is told; then, in the same dialog, its secret, which is shown this once. */
export function NewWebhookModal({ opened, customerId, events, onClose }: NewWebhookModalProps) {
  const t = useT();
  const queries = useQueryClient();
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
        <WebhookForm
          all={events}
          initial={{ url: '', events }}
          submit={t('apikeys.hookAdd')}
          failed={t('apikeys.hookAddFailed')}
          onSubmit={async (url, events) => {
            setSecret((await addWebhook(customerId, url, events)).secret);
            await refreshWebhooks(queries);
          }}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}
