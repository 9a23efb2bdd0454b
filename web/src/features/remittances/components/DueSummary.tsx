import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { Note } from '@/shared/ui/Note';
import type { Due } from '../types';
import classes from './remittances.module.css';

/** What the next remittance comes to, and what keeps it from being made. */
export function DueSummary({ due }: { due: Due }) {
  const t = useT();
  const language = useLanguage();
  const { user } = useRequiredSession();
  return (
    <>
      {due.issuerMissing.length > 0 && (
        <Note
          tone="warn"
          icon="warn"
          title={t('sepa.issuerIncomplete')}
          text={t('sepa.issuerIncompleteText', {
            fields: due.issuerMissing.map((field) => fieldName(t, field)).join(', '),
          })}
          action={
            <Button component={Link} to={paths.companyProfile(user.parent)} variant="default" size="xs">
              {t('sepa.issuerComplete')}
            </Button>
          }
        />
      )}
      {due.nbOfTxs === 0 && due.issuerMissing.length === 0 && (
        <div id="nothing-due">
          <Note
            icon="info"
            title={t('sepa.nothingDue')}
            text={due.excluded.length > 0 ? t('sepa.nothingDueOut') : t('sepa.nothingDueText')}
          />
        </div>
      )}
      <dl className={classes.figures}>
        <div>
          <dt>{t('sepa.toCollect')}</dt>
          <dd>{euros(due.ctrlSum, language)}</dd>
        </div>
        <div>
          <dt>{t('sepa.debits')}</dt>
          <dd>{due.nbOfTxs}</dd>
        </div>
        <div>
          <dt>{t('sepa.collectionDate')}</dt>
          <dd>{dayText(due.collectionDate, language)}</dd>
        </div>
      </dl>
    </>
  );
}

/** The issuer's fields by the names they have in its profile. */
function fieldName(t: T, field: string): string {
  const names: Record<string, string> = {
    company: t('companies.company'),
    cif: t('companies.cif'),
    address: t('companies.address'),
    city: t('companies.city'),
    region: t('companies.region'),
    postalCode: t('companies.postalCode'),
    iban: t('companies.iban'),
    bankAccount: t('companies.iban'),
    bic: t('companies.bic'),
    creditorSuffix: t('companies.creditorSuffix'),
    registryData: t('companies.registryData'),
  };
  return names[field] ?? field;
}
