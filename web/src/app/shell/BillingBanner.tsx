import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { UserCompany } from '@/api/types';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { mayOpenOwn, ownHref } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';

type Banner = NonNullable<UserCompany['banner']>;

/** The words of a banner; the server decided which one applies. */
export function bannerText(t: T, { kind, link, date }: Banner, language: string): string {
  const day = longDate(date, language);
  if (kind === 'EXPIRED') return t('shell.bannerExpired');
  if (kind === 'BILLING') return t('shell.bannerBilling', { date: day });
  return link ? t('shell.bannerTrialMissing', { date: day }) : t('shell.bannerTrial', { date: day });
}

/**
 * Trial and billing, dismissible until the next visit or until it says something else. Its link leads to the company's
 * page for who may open it; everybody else reads whom to ask.
 */
export function BillingBanner() {
  const t = useT();
  const language = useLanguage();
  const person = useRequiredSession();
  const [dismissed, setDismissed] = useState('');
  const banner = person.user.company?.banner;
  if (!banner) return null;
  const text = bannerText(t, banner, language);
  if (dismissed === text) return null;
  return (
    <div className={classes.banner} role="status">
      <Icon name="info" />
      <span>
        {text}
        {banner.link &&
          (mayOpenOwn('companyProfile', person) ? (
            <Link to={ownHref('companyProfile', person.user)} className={classes.bannerLink}>
              {t('shell.bannerUpdate')}
            </Link>
          ) : (
            ` ${t('shell.askPrincipal')}`
          ))}
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t('common.dismiss')}
        onClick={() => setDismissed(text)}
      >
        <Icon name="x" size={16} />
      </ActionIcon>
    </div>
  );
}
