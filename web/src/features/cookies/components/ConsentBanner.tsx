import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useT } from '@/shared/i18n';
import { choose, useConsent } from '@/shared/lib/consent';
import { useShownPage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import classes from './ConsentBanner.module.css';

/**
 * Asks once for the cookies, bottom right; accepting and declining weigh the same. A call is not disturbed:
 * it asks afterwards.
 */
export function ConsentBanner() {
  const t = useT();
  const state = useConsent();
  const { immersive } = useShownPage();
  const root = useRef<HTMLElement>(null);
  const shown = state === 'again' || (state === 'asking' && !immersive);
  useEffect(() => {
    // Whoever called it is led to it; the first time it takes no focus away.
    if (state === 'again') root.current?.focus();
  }, [state]);
  if (!shown) return null;
  return (
    <section ref={root} tabIndex={-1} className={classes.root} aria-label={t('cookies.bannerLabel')}>
      <p>
        {t('cookies.banner')}{' '}
        <a href={paths.cookies()} target="_blank" rel="noopener">
          {t('cookies.more')}
          <span className="visually-hidden"> ({t('common.openNewTab')})</span>
        </a>
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => choose('deny')}>
          {t('cookies.decline')}
        </Button>
        <Button variant="default" onClick={() => choose('allow')}>
          {t('cookies.accept')}
        </Button>
      </div>
    </section>
  );
}
