import { useLanguage, useT } from '@/shared/i18n';
import { reasonText } from '@/shared/lib/bank-reason';
import { shortDate } from '@/shared/lib/dates';
import { dayText } from '@/shared/lib/months';
import { menuLabel } from '@/shared/routes/labels';
import { FactList } from '@/shared/ui/FactList';
import type { Mandate } from '../types';
import classes from './remittances.module.css';

/** What a mandate says, line by line. */
export function MandateFacts({ mandate }: { mandate: Mandate }) {
  const t = useT();
  const language = useLanguage();
  const { signedAt, signature, statusReason, evidence } = mandate;
  const signed = signedAt
    ? [dayText(signedAt, language), signature && menuLabel(t, `sepa.signature_${signature}`)]
        .filter(Boolean)
        .join(' · ')
    : t('sepa.notSigned');
  const facts: [string, string | null | undefined][] = [
    [t('sepa.umr'), mandate.umr],
    [t('sepa.account'), mandate.iban],
    [t('sepa.creditorId'), mandate.creditorId],
    [t('sepa.scheme'), mandate.scheme === 'CORE' ? t('sepa.schemeCore') : t('sepa.schemeB2b')],
    [t('sepa.type'), mandate.type === 'RCUR' ? t('sepa.typeRecurrent') : t('sepa.typeOnce')],
    [t('sepa.signedAt'), signed],
    [t('sepa.place'), evidence?.place],
    [t('sepa.fingerprint'), evidence?.documentSha256 ?? evidence?.pdfSha256],
    [t('sepa.lastUsedAt'), mandate.lastUsedAt && shortDate(mandate.lastUsedAt, language)],
    [
      t('sepa.expiresAt'),
      mandate.status === 'active' && signedAt && mandate.expiresAt ? shortDate(mandate.expiresAt, language) : null,
    ],
    [t('sepa.stateReason'), statusReason && reasonText(t, { code: statusReason, label: statusReason })],
  ];
  return <FactList className={classes.facts} facts={facts} />;
}
