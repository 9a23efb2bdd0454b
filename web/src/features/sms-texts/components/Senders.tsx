import { Button, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { DetailDrawer } from '@/shared/ui/DetailDrawer';
import { Row, Rows, Section } from '@/shared/ui/Section';
import { Tag } from '@/shared/ui/Tag';
import type { SenderStatus } from '../api';
import { listSenders, type SenderEntry } from '../api';
import { SENDER_LOOKS } from '../model';
import { Registration } from './Registration';

const STATES: readonly SenderStatus[] = ['draft', 'requested', 'registered', 'rejected'];

const statusOf = (entry: SenderEntry): SenderStatus => STATES.find((state) => state === entry.status) ?? 'draft';

/** The names that customers sign their SMS with, those that wait first, and what the Registry answered of each. */
export function Senders() {
  const t = useT();
  const queries = useQueryClient();
  const [status, setStatus] = useState('');
  const [chosen, choose] = useState<SenderEntry | null>(null);
  const query = useQuery(listSenders(status));
  const rows = useQuery({ ...listSenders(status), select: ({ senders }) => senders });
  const { total = 0, size = 0 } = query.data ?? {};
  return (
    <Section
      id="sms-senders"
      title={t('messageservice.senders')}
      text={t('messageservice.sendersText')}
      action={
        <Select
          aria-label={t('messageservice.sendersState')}
          allowDeselect={false}
          w={180}
          value={status}
          onChange={(value) => setStatus(value ?? '')}
          data={[
            { value: '', label: t('messageservice.sendersWaiting') },
            ...STATES.map((value) => ({ value, label: t(`smstexts.st_${value}`) })),
          ]}
        />
      }
    >
      <Rows query={rows} error={t('messageservice.sendersError')} empty={t('messageservice.sendersNone')} waiting={3}>
        {(entry) => <SenderRow key={entry.companyId} entry={entry} onChoose={() => choose(entry)} />}
      </Rows>
      {total > size && <p>{t('messageservice.sendersMore', { n: size, total })}</p>}
      <DetailDrawer of={chosen} onClose={() => choose(null)} size={520} title={({ company }) => company}>
        {(entry) => (
          <Registration
            key={entry.companyId}
            sender={{ ...entry, status: statusOf(entry) }}
            onSaved={() => {
              choose(null);
              void queries.invalidateQueries({ queryKey: ['list_sms_senders'] });
            }}
          />
        )}
      </DetailDrawer>
    </Section>
  );
}

function SenderRow({ entry, onChoose }: { entry: SenderEntry; onChoose: () => void }) {
  const t = useT();
  const language = useLanguage();
  const status = statusOf(entry);
  const { tone, icon } = SENDER_LOOKS[status];
  return (
    <Row
      icon={
        <Tag tone={tone} icon={icon}>
          {t(`smstexts.st_${status}`)}
        </Tag>
      }
      title={`${entry.sms} · ${entry.company}`}
      facts={factsOf(t, entry, language)}
      action={
        <Button
          variant="default"
          size="xs"
          aria-label={t('messageservice.senderNoteOf', { name: entry.sms })}
          onClick={onChoose}
        >
          {t('messageservice.senderNote')}
        </Button>
      }
    />
  );
}

function factsOf(t: T, { since, holderNif, evidenceAt, provider }: SenderEntry, language: string): string {
  const parts = [
    since && t('messageservice.senderSince', { when: shortDate(since, language) }),
    holderNif && t('messageservice.senderNif', { nif: holderNif }),
    evidenceAt && t('messageservice.senderEvidence', { when: shortDate(evidenceAt, language) }),
    provider,
  ];
  return parts.filter(Boolean).join(' · ');
}
