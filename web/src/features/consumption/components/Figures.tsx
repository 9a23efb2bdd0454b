import { useLanguage, useT } from '@/shared/i18n';
import { count, euros } from '@/shared/lib/money';
import { monthText } from '@/shared/lib/months';
import { connectionsOf, netOf } from '../model';
import type { Units } from '../types';
import classes from './consumption.module.css';

/** The month so far in four figures, each with what it is made of. */
export function Figures({ units }: { units: Units }) {
  const t = useT();
  const language = useLanguage();
  const month = monthText(units.period, language).split(' ')[0];
  const minutes = units.exceededMinutes + units.guestMinutes;
  const figures: { label: string; value: string; text: string; main?: boolean }[] = [
    {
      label: t('consumption.soFar', { month }),
      value: euros(units.total, language),
      text: `${t('consumption.provisional')} · ${t('consumption.baseOf', {
        base: euros(units.base, language),
        vat: euros(units.vat, language),
      })}`,
      main: true,
    },
    {
      label: t('consumption.connectionsLabel'),
      value: count(connectionsOf(units), language),
      text: t('consumption.connectionsText', {
        first: count(units.connections, language),
        other: count(units.otherConnections, language),
      }),
    },
    {
      label: t('consumption.minutesLabel'),
      value: count(minutes, language),
      text: t('consumption.minutesText', {
        exceeded: count(units.exceededMinutes, language),
        guests: count(units.guestMinutes, language),
      }),
    },
    {
      label: t('consumption.limitLabel'),
      value: units.minuteLimit === null ? '–' : t('consumption.minutes', { count: units.minuteLimit }),
      text: units.minuteLimit === null ? t('consumption.noLimit') : '',
    },
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value, text, main }) => (
        <div key={label} data-main={main}>
          <dt>{label}</dt>
          <dd className="num">
            <b>{value}</b>
            {text && <small>{text}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** How far the month is from the minimum that is owed anyway. */
export function Minimum({ units }: { units: Units }) {
  const t = useT();
  const language = useLanguage();
  const net = netOf(units);
  const share = units.minimum > 0 ? Math.min(100, Math.floor((Math.max(0, net) * 100) / units.minimum)) : 100;
  const facts = {
    net: euros(net, language),
    minimum: euros(units.minimum, language),
    missing: euros(units.minimum - net, language),
  };
  const text =
    units.minimum === 0
      ? t('consumption.noMinimum')
      : net >= units.minimum
        ? t('consumption.minimumReached', facts)
        : t('consumption.minimumMissing', facts);
  return (
    <section className={classes.box} aria-labelledby="minimum">
      <h2 id="minimum">{t('consumption.minimumTitle')}</h2>
      {units.minimum > 0 && (
        <div className={classes.track} aria-hidden="true">
          <span style={{ width: `${share}%` }} />
        </div>
      )}
      <p className={`${classes.hint} num`}>{text}</p>
    </section>
  );
}
