import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDate, shortDateTime } from '@/shared/lib/dates';
import { passkeysSupported } from '@/shared/lib/webauthn';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { Row, Rows, Section } from '@/shared/ui/Section';
import { toast } from '@/shared/ui/toast';
import { listPasskeys, type Passkey, removePasskey } from '../api';
import { AddPasskeyModal } from './AddPasskeyModal';

/** Passkeys: a way in that replaces password and code. */
export function PasskeysSection() {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const [adding, setAdding] = useState(false);
  const passkeys = useQuery(listPasskeys());
  const refresh = () => queries.invalidateQueries(listPasskeys());
  const remove = useMutation({
    mutationFn: removePasskey,
    onSuccess: () => toast.ok({ title: t('security.passkeyRemoved') }),
    onError: (error) => toast.error({ title: t('security.passkeyRemoveFailed'), text: errorText(t, error) }),
    onSettled: refresh,
  });

  const askRemove = async ({ _id, name }: Passkey) => {
    const yes = await confirm({
      title: t('security.passkeyRemoveTitle', { name }),
      text: t('security.passkeyRemoveText'),
      confirm: t('common.delete'),
      danger: true,
    });
    if (yes) remove.mutate(_id);
  };
  const used = (at: string | null | undefined) =>
    at ? t('security.lastUse', { date: shortDateTime(at, language) }) : t('security.neverUsed');

  return (
    <Section
      id="security-passkeys"
      title={t('security.passkeys')}
      text={passkeysSupported() ? t('security.passkeysText') : t('security.passkeysUnsupported')}
      action={
        passkeysSupported() && (
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t('security.addPasskey')}
          </Button>
        )
      }
    >
      <Rows query={passkeys} error={t('security.passkeysError')} empty={t('security.noPasskeys')} waiting={1}>
        {(passkey) => (
          <Row
            key={passkey._id}
            icon={<Icon name="key" />}
            title={passkey.name}
            facts={`${t('security.created', { date: shortDate(passkey.createdAt, language) })} · ${used(passkey.lastUsedAt)}`}
            action={
              <IconAction
                icon="trash"
                size={28}
                label={t('security.removePasskey', { name: passkey.name })}
                disabled={remove.isPending}
                onClick={() => void askRemove(passkey)}
              />
            }
          />
        )}
      </Rows>
      {adding && <AddPasskeyModal onClose={() => setAdding(false)} onAdded={() => void refresh()} />}
    </Section>
  );
}
