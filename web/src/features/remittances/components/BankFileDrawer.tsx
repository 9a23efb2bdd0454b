import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '@/shared/i18n';
import { reasonText } from '@/shared/lib/bank-reason';
import { shortDateTime } from '@/shared/lib/dates';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { DetailDrawer } from '@/shared/ui/DetailDrawer';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { getBankFile } from '../api';
import { kindText, needsCare, resultGroups, sumOf, unmatchedText } from '../model';
import type { BankCharge, BankFileResult, UnmatchedItem } from '../types';
import { BankGroup } from './BankGroup';
import { Proposals } from './Proposals';
import classes from './remittances.module.css';

/** What a file of the bank did, by reason, on the right of the list. */
export function BankFileDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const t = useT();
  return (
    <DetailDrawer
      of={id}
      onClose={onClose}
      size={720}
      title={t('sepa.fileResult')}
      classNames={{ header: classes.drawerTop, body: classes.drawer }}
    >
      {(one) => <Result key={one} id={one} />}
    </DetailDrawer>
  );
}

function Result({ id }: { id: string }) {
  const t = useT();
  const { data, error, refetch } = useQuery(getBankFile(id));
  if (error && !data) {
    return <LoadFailed title={t('sepa.loadFailed')} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton h={240} aria-hidden="true" />;
  return <Panel result={data} />;
}

function Panel({ result }: { result: BankFileResult }) {
  const t = useT();
  const language = useLanguage();
  const { totals, items, unmatched, charges, proposals, otherAccounts = [] } = result;
  const nothing = items.length + unmatched.length + charges.length + proposals.length === 0;
  return (
    <div className={classes.form}>
      <header className={classes.drawerHead}>
        <h2>{result.name}</h2>
        <p className={classes.quiet}>
          {[result.message, shortDateTime(result.receivedAt, language), result.receivedBy].filter(Boolean).join(' · ')}
        </p>
      </header>
      {result.repeated && <Note icon="info" title={t('sepa.repeated')} text={t('sepa.repeatedText')} />}
      {otherAccounts.length > 0 && (
        <Note icon="info" text={t('sepa.otherAccounts', { accounts: otherAccounts.join(', ') })} />
      )}
      {nothing ? (
        <StateView icon="doc" title={t('sepa.fileNothing')} text={t('sepa.fileNothingText')} />
      ) : (
        <>
          <dl className={classes.figures}>
            <Figure name={t('sepa.paidSum')} {...totals.confirmed} />
            <Figure name={t('sepa.returnedSum')} {...totals.returned} />
            <Figure name={t('sepa.charges')} {...totals.charges} />
          </dl>
          {!needsCare(result) && <Note tone="ok" icon="check" text={t('sepa.allDone')} />}
          {proposals.length > 0 && <Proposals file={result.fileId} proposals={proposals} />}
          {resultGroups(items).map((group) => (
            <BankGroup key={group.key} group={group} />
          ))}
          {unmatched.length > 0 && <Unmatched items={unmatched} />}
          {charges.length > 0 && <Charges charges={charges} />}
        </>
      )}
    </div>
  );
}

function Figure({ name, count, amount }: { name: string; count: number; amount: number }) {
  const t = useT();
  const language = useLanguage();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{euros(amount, language)}</dd>
      <dd>{t('sepa.linesCount', { count })}</dd>
    </div>
  );
}

/** Lines of the bank that are none of ours: a person has to look. */
function Unmatched({ items }: { items: UnmatchedItem[] }) {
  const t = useT();
  const language = useLanguage();
  return (
    <section className={classes.group}>
      <h3>
        {t('sepa.unmatchedCount', { count: items.length })}
        <span className="num">{euros(sumOf(items), language)}</span>
      </h3>
      <p className={classes.text}>{t('sepa.unmatchedText')}</p>
      <ul className={classes.rows}>
        {items.map((item, at) => (
          // The bank may write the same line twice.
          <li key={at} className={classes.row}>
            <div className={classes.words}>
              <b className="num">{item.payer ?? item.endToEndId ?? t('sepa.noReference')}</b>
              <span className={classes.quiet}>
                {[
                  kindText(t, item.kind),
                  item.bookingDate && dayText(item.bookingDate, language),
                  item.reason && reasonText(t, item.reason),
                  unmatchedText(t, item.why),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {item.text && <span className={classes.quiet}>{item.text}</span>}
            </div>
            <b className={`${classes.sum} num`}>{euros(item.amount, language)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the bank takes for it: kept apart, never on an invoice. */
function Charges({ charges }: { charges: BankCharge[] }) {
  const t = useT();
  const language = useLanguage();
  return (
    <section className={classes.group}>
      <h3>
        {t('sepa.charges')}
        <span className="num">{euros(sumOf(charges), language)}</span>
      </h3>
      <p className={classes.text}>{t('sepa.chargesHelp')}</p>
      <ul className={classes.rows}>
        {charges.map((charge, at) => (
          <li key={at} className={classes.row}>
            <div className={classes.words}>
              <span>{charge.text ?? t('sepa.charge')}</span>
              <span className={`${classes.quiet} num`}>
                {[charge.invoice, charge.bookingDate && dayText(charge.bookingDate, language)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            <b className={`${classes.sum} num`}>{euros(charge.amount, language)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
