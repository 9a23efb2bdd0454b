import clsx from 'clsx';
import { useT } from '@/shared/i18n';
import { askAgain } from '@/shared/lib/consent';
import { paths } from '@/shared/routes/paths';
import classes from './CookieLinks.module.css';

interface CookieLinksProps {
  /** Of each of the two. */
  className?: string;
  onFollow?: () => void;
}

/** The policy in a new tab, and the way back to the choice. */
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
