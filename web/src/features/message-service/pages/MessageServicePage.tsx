import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useT } from '@/shared/i18n';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { PageTitle } from '@/shared/ui/PageTitle';
import { Segmented } from '@/shared/ui/Segmented';
import { OutboxList } from '../components/OutboxList';
import { ServiceState } from '../components/ServiceState';
import { Templates } from '../components/Templates';
import { STATES } from '../model';
import classes from './MessageServicePage.module.css';

const TABS = ['service', 'messages', 'templates', 'senders'] as const;

/**
 * `/message-service`: how the delivery of messages stands and its switch, every message, the wordings and the names that
 * customers sign with (`senders`).
 */
export function MessageServicePage({ senders }: { senders?: ReactNode }) {
  const t = useT();
  const [tab, show] = useListTab(TABS);
  const { state: asked } = useSearch({ strict: false }) as { state?: unknown };
  const [state, setState] = useState<string | null>(() => STATES.find((known) => known === asked) ?? null);
  const title = t('outbox.title');
  usePage({ title });
  return (
    <section className={classes.root}>
      <PageTitle title={title} lead={t('outbox.subtitle')} />
      <div>
        <Segmented
          label={title}
          value={tab}
          onChange={show}
          options={TABS.map((name) => ({ value: name, label: t(`messageservice.${name}`) }))}
        />
      </div>
      {tab === 'service' && (
        <ServiceState
          onMessages={(wanted) => {
            setState(wanted);
            show('messages');
          }}
        />
      )}
      {tab === 'messages' && <OutboxList state={state} onState={setState} />}
      {tab === 'templates' && <Templates />}
      {tab === 'senders' && senders}
    </section>
  );
}
