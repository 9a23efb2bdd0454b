import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import { askAgain, useConsent } from '@/shared/lib/consent';
import { linksQuery } from '@/shared/lib/links';
import { usePage } from '@/shared/lib/page';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { ReadingPage } from '@/shared/ui/ReadingPage';
import { KeptTable } from '../components/KeptTable';
import { BROWSER_HELP, cookiesKept, OPT_OUT, othersKept } from '../model';
import classes from './CookiesPage.module.css';

/** `/cookies`: what is kept in a browser, why, and how to refuse it. */
export function CookiesPage() {
  const t = useT();
  usePage({ title: t('cookies.title') });
  return (
    <ReadingPage title={t('cookies.title')} lead={t('cookies.intro')}>
      <Part title={t('cookies.whatTitle')} text={t('cookies.whatText')} />
      <Part title={t('cookies.kindsTitle')} text={t('cookies.kindsText')}>
        <dl className={classes.kinds}>
          <dt>{t('cookies.kind_necessary')}</dt>
          <dd>{t('cookies.necessaryText')}</dd>
          <dt>{t('cookies.kind_preference')}</dt>
          <dd>{t('cookies.preferenceText')}</dd>
          <dt>{t('cookies.measuring')}</dt>
          <dd>{t('cookies.measuringText')}</dd>
        </dl>
      </Part>
      <Part title={t('cookies.ownTitle')} text={t('cookies.ownText')}>
        <KeptTable label={t('cookies.ownTitle')} rows={cookiesKept()} />
      </Part>
      <Part title={t('cookies.storageTitle')} text={t('cookies.storageText')}>
        <KeptTable label={t('cookies.storageTitle')} rows={othersKept()} withPlace />
      </Part>
      <Part title={t('cookies.thirdTitle')} text={t('cookies.thirdText')} />
      <Choice />
      <Part title={t('cookies.disableTitle')} text={t('cookies.disableText')}>
        <OutsideLinks links={BROWSER_HELP} />
      </Part>
      <Part title={t('cookies.optOutTitle')} text={t('cookies.optOutText')}>
        <OutsideLinks links={OPT_OUT} />
      </Part>
      <Contact />
    </ReadingPage>
  );
}

function Part({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <section className={classes.part}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}

/** Consent as it stands, and its withdrawal. */
function Choice() {
  const t = useT();
  const state = useConsent();
  const now = { allow: t('cookies.nowAllow'), deny: t('cookies.nowDeny'), asking: t('cookies.nowNone') };
  return (
    <Part title={t('cookies.consentTitle')} text={t('cookies.consentText')}>
      <div className={classes.choice}>
        <Note
          icon="cookie"
          text={<span aria-live="polite">{state === 'again' ? t('cookies.nowAgain') : now[state]}</span>}
          action={
            <Button variant="default" onClick={askAgain}>
              {t('cookies.change')}
            </Button>
          }
        />
      </div>
      <h3>{t('cookies.withdrawTitle')}</h3>
      <p>{t('cookies.withdrawText')}</p>
    </Part>
  );
}

function OutsideLinks({ links }: { links: readonly { name: string; href: string }[] }) {
  const t = useT();
  return (
    <ul className={classes.links}>
      {links.map(({ name, href }) => (
        <li key={href}>
          <a href={href} target="_blank" rel="noopener noreferrer">
            {name}
            <Icon name="ext" size={16} />
            <span className="visually-hidden"> ({t('common.openNewTab')})</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Contact() {
  const t = useT();
  const { data } = useQuery(linksQuery);
  return (
    <Part title={t('cookies.contactTitle')} text={t('cookies.contactText')}>
      {data?.contactEmail && (
        <p>
          <a href={`mailto:${data.contactEmail}`}>{data.contactEmail}</a>
        </p>
      )}
      <p className={classes.version}>{t('cookies.version')}</p>
    </Part>
  );
}
