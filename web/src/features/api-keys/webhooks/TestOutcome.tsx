import { Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useT } from '@/shared/i18n';
import { Note } from '@/shared/ui/Note';
import { isUntried, listDeliveries } from './api';
import { answerText } from './words';

/** What became of a trial, as soon as the address was asked. */
export function TestOutcome({ hook, delivery }: { hook: string; delivery: string }) {
  const t = useT();
  const queries = useQueryClient();
  const { data } = useQuery(listDeliveries(hook, 1));
  const found = data?.deliveries.find(({ _id }) => _id === delivery);
  const tried = found !== undefined && !isUntried(found);
  // How the address does has changed with it.
  useEffect(() => {
    if (tried) void queries.invalidateQueries({ queryKey: ['list_webhooks'] });
  }, [tried, queries]);
  if (!tried) return <Note text={t('apikeys.testWaiting')} action={<Loader size={16} />} />;
  const answer = answerText(t, found);
  if (found.state === 'delivered') return <Note tone="ok" icon="check" title={t('apikeys.testOk')} text={answer} />;
  return <Note tone="bad" icon="warn" title={t('apikeys.testBad')} text={answer} />;
}
