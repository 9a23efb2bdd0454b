import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { setupState } from '@/features/setup/api';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';
import { Hint } from './SidebarEntry';

interface SetupEntryProps {
  /** One is there. */
  active: boolean;
  collapsed: boolean;
  onFollow?: () => void;
}

/** Leads the administrator to what is missing for real work, with its count; gone once nothing is. */
export function SetupEntry({ active, collapsed, onFollow }: SetupEntryProps) {
  const t = useT();
  const { data } = useQuery(setupState);
  if (!data || data.missing === 0) return null;
  return (
    <Hint label={t('setup.title')} on={collapsed}>
      <Link
        to={paths.setup()}
        className={classes.entry}
        data-active={active || undefined}
        aria-current={active ? 'page' : undefined}
        // The icon alone has no name.
        aria-label={collapsed ? t('setup.title') : undefined}
        onClick={onFollow}
      >
        <Icon name="bolt" />
        <span className={classes.entryLabel}>{t('setup.title')}</span>
        <span className={classes.count}>
          <span aria-hidden="true">{data.missing}</span>
          <span className="visually-hidden">{t('setup.missing', { count: data.missing })}</span>
        </span>
      </Link>
    </Hint>
  );
}
