import type { ReactNode } from 'react';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { countText } from '@/shared/lib/format';
import { euros, percentText } from '@/shared/lib/money';
import {
  type Discount,
  PRICE_FIELDS,
  type PriceField,
  type PriceTable as Prices,
  sortedTiers,
} from '@/shared/lib/prices';
import classes from './PriceTable.module.css';

interface PriceTableProps {
  prices: Prices;
  /** The table that held before: what differs from it is shown with both values. */
  before?: Prices | null;
}

/** A price table: euros with two decimals, tiers sorted by percent, what they mean in words. */
export function PriceTable({ prices, before }: PriceTableProps) {
  const t = useT();
  const language = useLanguage();
  const tiers = tierRows(t, prices.discounts, language);
  const old = before ? tierRows(t, before.discounts, language) : tiers;
  const tiersChanged = JSON.stringify(old) !== JSON.stringify(tiers);
  return (
    <div className={classes.root}>
      <table className={classes.table}>
        <caption className="visually-hidden">{t('prices.priceTable')}</caption>
        <tbody>
          {PRICE_FIELDS.map((field) => (
            <Line
              key={field}
              label={t(`prices.${field}`)}
              value={valueText(t, prices, field, language)}
              before={before && valueText(t, before, field, language)}
            />
          ))}
        </tbody>
      </table>
      {tiers.length > 0 && (
        <table className={classes.table}>
          <caption className={classes.caption}>{t('prices.discounts')}</caption>
          <tbody>
            {tiers.map(({ label, value }) => (
              <Line key={label} label={label} value={value} changed={tiersChanged && !hasRow(old, label, value)} />
            ))}
          </tbody>
        </table>
      )}
      {before && tiersChanged && old.length > 0 && (
        <table className={classes.table}>
          <caption className={classes.caption}>{t('prices.discountsBefore')}</caption>
          <tbody>
            {old.map(({ label, value }) => (
              <Line key={label} label={label} value={value} quiet />
            ))}
          </tbody>
        </table>
      )}
      <p className={classes.note}>
        {t('prices.vatNote')}
        {tiers.length > 0 && ` ${t('prices.tierNote')}`}
      </p>
    </div>
  );
}

interface LineProps {
  label: string;
  value: string;
  before?: string | null;
  changed?: boolean;
  quiet?: boolean;
}

function Line({ label, value, before, changed = before != null && before !== value, quiet }: LineProps) {
  const t = useT();
  let shown: ReactNode = value;
  if (changed && before != null) {
    shown = (
      <>
        <span className="visually-hidden">{t('prices.was')} </span>
        <del>{before}</del>
        <span className="visually-hidden"> {t('prices.isNow')} </span> <ins>{value}</ins>
      </>
    );
  } else if (changed) shown = <ins>{value}</ins>;
  return (
    <tr data-changed={changed || undefined} data-quiet={quiet || undefined}>
      <th scope="row">{label}</th>
      <td className="num">{shown}</td>
    </tr>
  );
}

function valueText(t: T, prices: Prices, field: PriceField, language: string): string {
  const value = prices[field];
  // While somebody types there may be no number yet.
  if (field !== 'minuteLimit') return euros(Number.isNaN(value) ? null : value, language);
  return value === null ? t('prices.noLimit') : t('prices.minutes', { count: value });
}

interface TierRow {
  label: string;
  value: string;
}

/** Above the last tier its percentage goes on: it is said as what lies above the one before, once. */
function tierRows(t: T, discounts: Discount[], language: string): TierRow[] {
  const tiers = sortedTiers(discounts);
  const count = (n: number) => countText(n, language);
  return tiers.map(({ to, percent }, at) => {
    const before = tiers[at - 1];
    const last = at === tiers.length - 1;
    const label = !last
      ? t('prices.upTo', { n: count(to) })
      : before
        ? t('prices.moreThan', { n: count(before.to) })
        : t('prices.anyCount');
    return { label, value: percentText(percent, language) };
  });
}

const hasRow = (rows: TierRow[], label: string, value: string) =>
  rows.some((row) => row.label === label && row.value === value);
