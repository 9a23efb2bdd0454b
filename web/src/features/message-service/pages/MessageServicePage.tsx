import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { Segmented } from '@/shared/ui/Segmented';
import { OutboxList } from '../components/OutboxList';
import { Senders } from '../components/Senders';
import { ServiceState } from '../components/ServiceState';
import { Templates } from '../components/Templates';
import classes from './MessageServicePage.module.css';

const TABS = ['service', 'messages', 'templates', 'senders'] as const;

/**
 * `/message-service`: how the delivery of messages stands and its switch, every message, and the wordings.
 * Source: SPEC §7 Messaging service, DESIGN §1 Outbox.
 */
export function MessageServicePage() {
  const t = useT();
  const [tab, show] = useListTab(TABS);
  const [state, setState] = useState<string | null>(null);
  const title = t('outbox.title');
  usePage({ title });
  return (
    <section className={classes.root}>
      <div>
        <h1>{title}</h1>
        <p className={classes.lead}>{t('outbox.subtitle')}</p>
      </div>
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
      {tab === 'senders' && <Senders />}
    </section>
  );
}
