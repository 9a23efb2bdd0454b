import type { ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { DevicesSection } from '../components/DevicesSection';
import { MyDataSection } from '../components/MyDataSection';
import { PasskeysSection } from '../components/PasskeysSection';
import { PasswordSection } from '../components/PasswordSection';
import { SecondFactorSection } from '../components/SecondFactorSection';
import classes from './SecurityPage.module.css';

/**
 * `/password/{id}`, the own account's only: password, second factor, passkeys, devices, the own data, and below them what another
 * feature adds.
 */
export function SecurityPage({ children }: { children?: ReactNode }) {
  const t = useT();
  usePage({ title: t('security.title') });
  return (
    <div className={classes.root}>
      <header className={classes.header}>
        <h1>{t('security.title')}</h1>
        <p className={classes.subtitle}>{t('security.subtitle')}</p>
      </header>
      <PasswordSection />
      <SecondFactorSection />
      <PasskeysSection />
      <DevicesSection />
      <MyDataSection />
      {children}
    </div>
  );
}
