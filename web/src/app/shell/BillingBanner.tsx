import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import type { UserCompany } from '@/api/types';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';

type Banner = NonNullable<UserCompany['banner']>;

/** The words of a banner; the server decided which one applies (SPEC §4 Trial and billing banner). */
export function bannerText(t: T, { kind, link, date }: Banner, language: string): string {
  const day = new Date(date).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'Europe/Madrid' });
  if (kind === 'EXPIRED') return t('shell.bannerExpired');
  if (kind === 'BILLING') return t('shell.bannerBilling', { date: day });
  return link ? t('shell.bannerTrialMissing', { date: day }) : t('shell.bannerTrial', { date: day });
}

/** Trial and billing, dismissible until the next visit. Its link joins it with the company's page. */
export function BillingBanner() {
  const t = useT();
  const language = useLanguage();
  const { user } = useRequiredSession();
  const [dismissed, setDismissed] = useState(false);
  const banner = user.company?.banner;
  if (!banner || dismissed) return null;
  return (
    <div className={classes.banner} role="status">
      <Icon name="info" />
      <span>{bannerText(t, banner, language)}</span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t('common.dismiss')}
        onClick={() => setDismissed(true)}
      >
        <Icon name="x" size={16} />
      </ActionIcon>
    </div>
  );
}
