import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { DetailDrawer } from '@/shared/ui/DetailDrawer';
import { type FactEntry, FactList } from '@/shared/ui/FactList';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { getRemittance } from '../api';
import type { Attempt, Remittance, Tally } from '../types';
import { AttemptRow } from './AttemptRow';
import { CancelModal } from './CancelModal';
import classes from './remittances.module.css';
import { RemittanceTag } from './StateTag';

/** A remittance with its debits, on the right of the list. */
export function RemittanceDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const t = useT();
  return (
    <DetailDrawer
      of={id}
      onClose={onClose}
      size={640}
      title={t('sepa.remittance')}
      classNames={{ header: classes.drawerTop, body: classes.drawer }}
    >
      {(one) => <Details key={one} id={one} />}
    </DetailDrawer>
  );
}

function Details({ id }: { id: string }) {
  const t = useT();
  const { data, error, refetch } = useQuery(getRemittance(id));
  if (error && !data) {
    return <LoadFailed title={t('sepa.loadFailed')} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton h={240} aria-hidden="true" />;
  return <Panel remittance={data.remittance} attempts={data.attempts} />;
}

function Panel({ remittance, attempts }: { remittance: Remittance; attempts: Attempt[] }) {
  const t = useT();
  const language = useLanguage();
  const [cancelling, cancel] = useState(false);
  const { paid, returned, open } = remittance;
  const tally = ({ count, amount }: Tally) => `${euros(amount, language)} · ${t('sepa.debitsCount', { count })}`;
  // Once the bank has said something of it, it was not refused as a whole.
  const refusable = remittance.status === 'live' && paid.count + returned.count === 0;
  return (
    <div className={classes.form}>
      <header className={classes.drawerHead}>
        <h2 className="num">{remittance.msgId}</h2>
        <RemittanceTag status={remittance.status} />
        <p className={classes.quiet}>
          {[shortDateTime(remittance.createdAt, language), remittance.createdBy].filter(Boolean).join(' · ')}
        </p>
      </header>
      {remittance.status === 'cancelled' && (
        <Note
          icon="x"
          title={t('sepa.cancelledOn', { date: shortDateTime(remittance.cancelledAt, language) })}
          text={remittance.cancelReason}
        />
      )}
      <FactList
        className={classes.facts}
        facts={[
          [t('sepa.sum'), tally({ count: remittance.nbOfTxs, amount: remittance.ctrlSum })],
          [t('sepa.paidSum'), tally(paid)],
          [t('sepa.returnedSum'), tally(returned)],
          [t('sepa.openSum'), tally(open)],
          ...remittance.blocks.map((block): FactEntry => {
            const date = dayText(block.collectionDate, language);
            const given = { date, count: block.nbOfTxs, amount: euros(block.ctrlSum, language) };
            return [`${block.scheme} ${block.sequence}`, t('sepa.blockText', given)];
          }),
        ]}
      />
      <section>
        <h3>{t('sepa.attempts')}</h3>
        <ul className={classes.rows}>
          {attempts.map((attempt) => (
            <AttemptRow key={attempt._id} attempt={attempt} remittance={remittance} />
          ))}
        </ul>
      </section>
      {refusable && (
        <div>
          <Button variant="default" leftSection={<Icon name="x" size={16} />} onClick={() => cancel(true)}>
            {t('sepa.cancelRemittance')}
          </Button>
        </div>
      )}
      <CancelModal remittance={remittance} opened={cancelling} onClose={() => cancel(false)} />
    </div>
  );
}
