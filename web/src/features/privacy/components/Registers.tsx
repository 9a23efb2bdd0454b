import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Erasure, PrivacyRequest } from '@/api/types';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { IconAction } from '@/shared/ui/IconAction';
import { Tag } from '@/shared/ui/Tag';
import { exportRegister, listErasures, listRequests } from '../api';
import { ProofModal } from './ProofModal';

interface RegisterProps {
  company: string;
  above: ReactNode;
}

const num = (text: string | number) => <span className="num">{text}</span>;

function KindTag({ t, kind }: { t: T; kind: PrivacyRequest['kind'] }) {
  return kind === 'erasure' ? (
    <Tag tone="bad" icon="trash">
      {t('privacy.kind_erasure')}
    </Tag>
  ) : (
    <Tag tone="acc" icon="dl">
      {t('privacy.kind_export')}
    </Tag>
  );
}

/** What persons asked for, and who did it. */
export function Requests({ company, above }: RegisterProps) {
  const t = useT();
  const language = useLanguage();
  const list = useListState({ sort: '-at' });
  const source = useQuery(listRequests(company, list));
  const columns: ListColumn<PrivacyRequest>[] = [
    { key: 'at', title: t('privacy.at'), render: (row) => num(shortDateTime(row.at, language)), fixed: true },
    { key: 'kind', title: t('privacy.kind'), render: (row) => <KindTag t={t} kind={row.kind} />, fixed: true },
    { key: 'subject', title: t('privacy.subject'), render: (row) => num(row.subject) },
    { key: 'conferences', title: t('privacy.conferences'), render: (row) => num(row.conferences), right: true },
    { key: 'by', title: t('privacy.by'), render: (row) => row.by },
    { key: 'reason', title: t('privacy.reason'), render: (row) => row.reason || '–' },
  ];
  return (
    <DataList<PrivacyRequest>
      name="privacy-requests"
      title={t('privacy.title')}
      subtitle={source.data && t('privacy.requestsCount', { count: source.data.total })}
      above={above}
      list={list}
      source={source}
      columns={columns}
      rowKey={(row) => row._id}
      narrow={(row) => ({
        title: row.subject,
        badge: <KindTag t={t} kind={row.kind} />,
        text: row.by,
        aside: shortDateTime(row.at, language),
      })}
      onExport={() => exportRegister('privacy-requests', company, list, t('privacy.requests').toLowerCase())}
      empty={{ icon: 'user', title: t('privacy.noRequests') }}
    />
  );
}

/** What was erased, each entry with its proof. */
export function Erasures({ company, above }: RegisterProps) {
  const t = useT();
  const language = useLanguage();
  const list = useListState({ sort: '-at' });
  const source = useQuery(listErasures(company, list));
  const [shown, show] = useState<Erasure | null>(null);
  const columns: ListColumn<Erasure>[] = [
    { key: 'at', title: t('privacy.at'), render: (row) => num(shortDateTime(row.at, language)), fixed: true },
    { key: 'reason', title: t('privacy.reason'), render: (row) => row.reason, fixed: true },
    { key: 'by', title: t('privacy.by'), render: (row) => row.by },
    { key: 'events', title: t('privacy.events'), render: (row) => num(row.events), right: true },
    { key: 'media', title: t('privacy.files'), render: (row) => num(row.media), right: true },
    { key: 'head', title: t('privacy.head'), render: (row) => <code title={row.head}>{row.head.slice(0, 12)}…</code> },
  ];
  return (
    <>
      <DataList<Erasure>
        name="erasures"
        title={t('privacy.title')}
        subtitle={source.data && t('privacy.erasuresCount', { count: source.data.total })}
        above={above}
        list={list}
        source={source}
        columns={columns}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: row.reason,
          text: [row.by, t('privacy.filesCount', { count: row.media })].join(' · '),
          aside: shortDateTime(row.at, language),
        })}
        actions={(row) => <IconAction icon="seal" size={28} label={t('privacy.proof')} onClick={() => show(row)} />}
        onExport={() => exportRegister('erasures', company, list, t('privacy.erasures').toLowerCase())}
        empty={{ icon: 'trash', title: t('privacy.noErasures') }}
      />
      <ProofModal erasure={shown} onClose={() => show(null)} />
    </>
  );
}
