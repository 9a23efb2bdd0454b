import clsx from 'clsx';
import { paths } from '@/app/paths';
import { useT } from '@/shared/i18n';
import { askAgain } from '@/shared/lib/consent';
import classes from './CookieLinks.module.css';

interface CookieLinksProps {
  /** Of each of the two. */
  className?: string;
  onFollow?: () => void;
}

/** The policy in a new tab (SPEC §2 Sidebar), and the way back to the choice (DOMAIN §6.5). */
export function CookieLinks({ className, onFollow }: CookieLinksProps) {
  const t = useT();
  const change = () => {
    onFollow?.();
    askAgain();
  };
  return (
    <>
      <a className={className} href={paths.cookies()} target="_blank" rel="noopener" onClick={onFollow}>
        {t('shell.cookies')}
        <span className="visually-hidden"> ({t('common.openNewTab')})</span>
      </a>
      <button type="button" className={clsx(classes.button, className)} onClick={change}>
        {t('cookies.change')}
      </button>
    </>
  );
}
