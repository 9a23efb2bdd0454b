import { useLanguage, useT } from '@/shared/i18n';
import { count, percentText } from '@/shared/lib/money';
import { connectionsOf, nextTier, type ShownTier, tiersOf } from '../model';
import type { Units } from '../types';
import classes from './consumption.module.css';

/** The tiers of the volume discount, where the month is among them and what is missing to the next. */
export function Tiers({ units }: { units: Units }) {
  const t = useT();
  const language = useLanguage();
  const connections = connectionsOf(units);
  const tiers = tiersOf(units.tiers, connections);
  if (tiers.length === 0) return null;
  const next = nextTier(units.tiers, connections);
  const range = ({ from, to, last }: ShownTier) => {
    if (last) return t('consumption.tierAbove', { to: count(from - 1, language) });
    return from === 1
      ? t('consumption.tierUpTo', { to: count(to, language) })
      : t('consumption.tierRange', { from: count(from, language), to: count(to, language) });
  };
  const missing = next && {
    count: next.missing,
    missing: count(next.missing, language),
    percent: percentText(next.percent, language),
  };
  return (
    <section className={classes.box} aria-labelledby="tiers">
      <h2 id="tiers">{t('consumption.tiersTitle')}</h2>
      <p className={classes.hint}>{t('consumption.tiersText')}</p>
      <ol className={`${classes.tiers} num`}>
        {tiers.map((tier) => (
          <li key={tier.to} aria-current={tier.here ? 'step' : undefined}>
            <span>{range(tier)}</span>
            {tier.here && (
              <small>
                {t('consumption.tierHere', { count: connections, connections: count(connections, language) })}
              </small>
            )}
            <b>{percentText(tier.percent, language)}</b>
          </li>
        ))}
      </ol>
      <p className={`${classes.next} num`}>
        {missing ? t('consumption.tierMissing', missing) : t('consumption.tierLast')}
      </p>
    </section>
  );
}
