import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { confirm } from '@/shared/ui/dialogs';
import { FactList } from '@/shared/ui/FactList';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { toast } from '@/shared/ui/toast';
import { type ApiKey, generateKey, listKeys, MAX_KEYS, revokeKey } from '../api';
import classes from './Keys.module.css';
import { NewKeyModal } from './NewKeyModal';

/** The living keys of a customer: made, used, revoked. */
export function KeyList({ customerId }: { customerId: string | null }) {
  const t = useT();
  const queries = useQueryClient();
  const [shown, setShown] = useState<string | null>(null);
  const { data: keys, error, refetch } = useQuery(listKeys(customerId));
  const fresh = () => queries.invalidateQueries({ queryKey: ['get_api_key'] });
  const generating = useMutation({
    mutationFn: () => generateKey(customerId),
    onSuccess: (key) => {
      setShown(key);
      return fresh();
    },
    onError: (cause) => toast.error({ title: t('apikeys.generateFailed'), text: errorText(t, cause) }),
  });
  const full = (keys?.length ?? 0) >= MAX_KEYS;

  const body = () => {
    if (error && !keys) {
      return <LoadFailed title={t('apikeys.loadFailed')} error={error} onRetry={() => void refetch()} />;
    }
    if (!keys) return <Skeleton h={44} m={16} />;
    if (keys.length === 0) return <StateView icon="code" title={t('apikeys.none')} text={t('apikeys.noneText')} />;
    return (
      <ul>
        {keys.map((key) => (
          <KeyRow key={key._id} apiKey={key} onRevoked={fresh} />
        ))}
      </ul>
    );
  };

  return (
    <section className={classes.section} aria-labelledby="api-keys">
      <div className={classes.head}>
        <h2 id="api-keys">{t('apikeys.keys')}</h2>
        <Button
          leftSection={<Icon name="plus" size={16} />}
          loading={generating.isPending}
          disabled={!keys || full}
          onClick={() => generating.mutate()}
        >
          {t('apikeys.generate')}
        </Button>
      </div>
      <div className={classes.panel}>{body()}</div>
      <Note icon={full ? 'info' : 'key'} text={full ? t('apikeys.limit') : t('apikeys.rotation')} />
      <NewKeyModal apiKey={shown} onClose={() => setShown(null)} />
    </section>
  );
}

function KeyRow({ apiKey, onRevoked }: { apiKey: ApiKey; onRevoked: () => Promise<void> }) {
  const t = useT();
  const language = useLanguage();
  const { prefix } = apiKey;
  const revoking = useMutation({
    mutationFn: () => revokeKey(apiKey._id),
    onSuccess: () => {
      toast.ok({ title: t('apikeys.revoked') });
      return onRevoked();
    },
    onError: (cause) => toast.error({ title: t('apikeys.revokeFailed'), text: errorText(t, cause) }),
  });
  const ask = async () => {
    const sure = await confirm({
      title: t('apikeys.revokeAsk', { prefix }),
      text: t('apikeys.revokeText'),
      confirm: t('apikeys.revoke'),
      danger: true,
    });
    if (sure) revoking.mutate();
  };
  return (
    <li className={classes.row}>
      <code className={classes.prefix}>{prefix}…</code>
      <FactList
        className={classes.facts}
        facts={[
          [t('apikeys.createdAt'), shortDateTime(apiKey.createdAt, language)],
          [t('apikeys.createdBy'), apiKey.createdBy.name || '–'],
          [
            t('apikeys.lastUsed'),
            apiKey.lastUsedAt ? shortDateTime(apiKey.lastUsedAt, language) : t('apikeys.neverUsed'),
          ],
        ]}
      />
      <Button variant="default" size="xs" loading={revoking.isPending} onClick={() => void ask()}>
        {t('apikeys.revoke')}
      </Button>
    </li>
  );
}
