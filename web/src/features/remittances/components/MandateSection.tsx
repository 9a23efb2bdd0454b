import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { dayText } from '@/shared/lib/months';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Section } from '@/shared/ui/Section';
import { mandatesOf } from '../api';
import { currentMandate, isAnothers, mandateState } from '../model';
import type { Mandate } from '../types';
import { MandateFacts } from './MandateFacts';
import { MandateFiles } from './MandateFiles';
import classes from './remittances.module.css';
import { SignedUpload } from './SignedUpload';
import { SignModal } from './SignModal';
import { MandateTag } from './StateTag';
import { useMandate } from './use-mandate';

/** Its heading's id, for who leads there. */
export const MANDATE_SECTION = 'mandate';

interface MandateSectionProps {
  company: { _id: string; company: string; bankAccount: string | null };
  /** The caller's own: the only one who signs on the screen. */
  own: boolean;
}

/**
 * The direct debit mandate of a company: made for its account, read, signed. Another account is another mandate.
 */
export function MandateSection({ company, own }: MandateSectionProps) {
  const t = useT();
  const mandates = useQuery({ ...mandatesOf(company._id, company.bankAccount), enabled: company.bankAccount !== null });
  const current = currentMandate(mandates.data ?? []);
  const earlier = (mandates.data ?? []).filter((mandate) => mandate !== current);
  const frame = (children: ReactNode) => (
    <Section
      id={MANDATE_SECTION}
      title={t('sepa.mandate')}
      text={own ? t('sepa.mandateText') : t('sepa.mandateTextAdmin')}
      state={current && <MandateTag mandate={current} />}
    >
      {children}
    </Section>
  );
  if (!company.bankAccount)
    return frame(<Note icon="info" text={own ? t('sepa.needsIban') : t('sepa.needsIbanAdmin')} />);
  if (mandates.error && !mandates.data) {
    return frame(
      <Note
        tone="bad"
        icon="warn"
        title={t('sepa.loadFailed')}
        text={errorText(t, mandates.error)}
        action={
          <Button variant="default" size="xs" loading={mandates.isFetching} onClick={() => void mandates.refetch()}>
            {t('common.retry')}
          </Button>
        }
      />,
    );
  }
  if (!mandates.data) return frame(<Skeleton h={120} aria-hidden="true" />);
  return frame(
    <>
      {current && !isAnothers(current) ? (
        <Current mandate={current} own={own} company={company.company} />
      ) : (
        <Missing company={company._id} own={own} before={current ?? earlier[0] ?? null} />
      )}
      {current && <p className={classes.quiet}>{own ? t('sepa.newIban') : t('sepa.newIbanAdmin')}</p>}
      {earlier.length > 0 && <Earlier mandates={earlier} />}
    </>,
  );
}

interface CurrentProps {
  mandate: Mandate;
  own: boolean;
  company: string;
}

function Current({ mandate, own, company }: CurrentProps) {
  const t = useT();
  const [signing, sign] = useState(false);
  const state = mandateState(mandate);
  const unsigned = state === 'unsigned';
  // Who has signed on the screen has signed; the administration may still bring a paper, which counts for more.
  const byHand = own ? unsigned : mandate.signature !== 'document';
  return (
    <>
      {unsigned && <Note tone="warn" icon="pen" text={own ? t('sepa.unsignedOwn') : t('sepa.unsignedAdmin')} />}
      {state === 'suspended' && (
        <Note tone="bad" icon="warn" text={own ? t('sepa.suspendedOwn') : t('sepa.suspendedAdmin')} />
      )}
      <MandateFacts mandate={mandate} />
      <div className={classes.buttons}>
        {unsigned && own && (
          <Button leftSection={<Icon name="pen" size={16} />} onClick={() => sign(true)}>
            {t('sepa.sign')}
          </Button>
        )}
        <MandateFiles mandate={mandate} byHand={byHand} />
        {byHand && <SignedUpload mandate={mandate} />}
      </div>
      <SignModal mandate={mandate} company={company} opened={signing} onClose={() => sign(false)} />
    </>
  );
}

interface MissingProps {
  company: string;
  own: boolean;
  /** The latest that no longer counts. */
  before: Mandate | null;
}

/** There is an account and no mandate for it: why, and the button that makes one. */
function Missing({ company, own, before }: MissingProps) {
  const t = useT();
  const { make } = useMandate();
  const text = !before
    ? t('sepa.noMandate')
    : isAnothers(before)
      ? t('sepa.otherTaxpayer')
      : before.status === 'expired'
        ? t('sepa.expiredText')
        : t('sepa.cancelledMandateText');
  return (
    <Note
      tone="warn"
      icon="pen"
      text={text}
      action={
        <Button size="xs" loading={make.isPending} onClick={() => make.mutate(company)}>
          {own ? t('sepa.prepare') : t('sepa.prepareAdmin')}
        </Button>
      }
    />
  );
}

/** Mandates of earlier accounts: their debits may still come back. */
function Earlier({ mandates }: { mandates: Mandate[] }) {
  const t = useT();
  const language = useLanguage();
  return (
    <details className={classes.earlier}>
      <summary>{t('sepa.earlier', { count: mandates.length })}</summary>
      <ul className={classes.rows}>
        {mandates.map((mandate) => (
          <li key={mandate._id} className={classes.row}>
            <div className={classes.words}>
              <b className="num">{mandate.umr}</b>
              <span className={`${classes.quiet} num`}>
                {mandate.iban} · {dayText(mandate.signedAt, language)}
              </span>
            </div>
            <MandateTag mandate={mandate} />
          </li>
        ))}
      </ul>
    </details>
  );
}
