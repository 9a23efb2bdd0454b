import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { setupState } from '../api';
import classes from './SetupBar.module.css';

const DISMISSED_KEY = 'atalaya.setupBar';

/** Over the administrator's pages while the installation is not ready for real work; away until the next visit once dismissed. */
export function SetupBar() {
  const t = useT();
  const { data } = useQuery(setupState);
  const { pathname } = useLocation();
  const [dismissed, setDismissed] = useState(() => window.sessionStorage.getItem(DISMISSED_KEY) !== null);
  if (!data || data.missing === 0 || dismissed || pathname === paths.setup()) return null;
  const dismiss = () => {
    window.sessionStorage.setItem(DISMISSED_KEY, '1');
    setDismissed(true);
  };
  return (
    <div className={classes.bar} role="status">
      <Icon name="warn" />
      <span>
        {t('setup.bar', { count: data.missing })}
        <Link to={paths.setup()}>{t('setup.barLink')}</Link>
      </span>
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('common.dismiss')} onClick={dismiss}>
        <Icon name="x" size={16} />
      </ActionIcon>
    </div>
  );
}
