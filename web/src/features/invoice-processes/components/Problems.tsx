import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { codeText, type T, useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { customersOut, fieldsText, type ProcessError, type Sent } from '../model';
import classes from './processes.module.css';

/** Shown at first: more than these are a list of their own. */
const FIRST = 8;

/** Who is not invoiced, why, and the way to where it is mended. */
export function Problems({ errors }: { errors: ProcessError[] }) {
  const t = useT();
  const customers = customersOut(errors);
  if (errors.length === 0) return null;
  const title =
    customers > 0
      ? t('invoiceprocesses.problems', { count: customers })
      : t('invoiceprocesses.problemsTag', { count: errors.length });
  return (
    <ProblemList title={title} text={customers > 0 ? t('invoiceprocesses.problemsText') : undefined} errors={errors} />
  );
}

/** Invoices that could not be e-mailed, with the way to the address that is missing. */
export function Unsent({ failed }: { failed: Sent['failed'] }) {
  const t = useT();
  if (failed.length === 0) return null;
  const errors = failed.map(({ number, customerId, company, code }) => ({
    customerId,
    company: `${number} · ${company}`,
    code,
  }));
  return (
    <div className={classes.panel}>
      <ProblemList title={t('invoiceprocesses.unsent', { count: failed.length })} errors={errors} />
    </div>
  );
}

function ProblemList({ title, text, errors }: { title: string; text?: string; errors: ProcessError[] }) {
  const t = useT();
  const { user } = useRequiredSession();
  const [all, showAll] = useState(false);
  const shown = all ? errors : errors.slice(0, FIRST);
  return (
    <div className={classes.problems}>
      <h3>
        <Icon name="warn" size={16} />
        {title}
      </h3>
      {text && <p>{text}</p>}
      <ul className={classes.problemList} aria-label={title}>
        {shown.map((error) => {
          const issuer = error.code.startsWith('ISSUER_');
          const name = error.customerId
            ? error.company
            : issuer
              ? t('invoiceprocesses.issuer')
              : t('invoiceprocesses.run');
          return (
            <li key={`${error.customerId}${error.code}${error.company}`} className={classes.problem}>
              <div>
                <b>{name}</b>
                <span>{reason(t, error)}</span>
              </div>
              {(error.customerId || issuer) && (
                <Button
                  component={Link}
                  to={paths.companyProfile(error.customerId ?? user.parent)}
                  variant="default"
                  size="xs"
                  aria-label={t('invoiceprocesses.mendName', { company: name })}
                >
                  {t('invoiceprocesses.mend')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {shown.length < errors.length && (
        <Button variant="subtle" size="xs" onClick={() => showAll(true)}>
          {t('invoiceprocesses.moreProblems', { count: errors.length - shown.length })}
        </Button>
      )}
    </div>
  );
}

function reason(t: T, { code, fields }: ProcessError): string {
  if (fields && fields.length > 0) return t('invoiceprocesses.missing', { fields: fieldsText(t, fields) });
  return codeText(t, code) ?? code;
}
