import { Link, useNavigate } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { useT } from '@/shared/i18n';
import { LanguageMenu } from '@/shared/language/LanguageMenu';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { startHref } from '@/shared/routes/start';
import { session, useSession } from '@/shared/session';
import { Brand } from '@/shared/ui/Brand';
import { ThemeToggle } from '@/shared/ui/ThemeToggle';
import { Tower } from '@/shared/ui/Tower';
import { LoginForm } from '../components/LoginForm';
import classes from './LoginPage.module.css';

interface LoginPageProps {
  /** Links to what the page must tell of its cookies. */
  CookieLinks: ComponentType<{ className?: string }>;
}

/** The log-in: afterwards to the role's home, also when the log-in happened in another tab. */
export function LoginPage({ CookieLinks }: LoginPageProps) {
  const t = useT();
  const navigate = useNavigate();
  usePage({ title: t('login.title') });
  const current = useSession();
  useEffect(() => {
    // Asked again: a session past its end is none.
    const live = current && session.current();
    const home = live && startHref(live);
    if (home) void navigate({ href: home, replace: true });
  }, [current, navigate]);
  return (
    <div className={classes.root}>
      <aside className={classes.aside}>
        <Tower className={classes.sea} />
        <Brand size={30} />
        <div className={classes.pitch}>
          <p className={classes.headline}>{t('login.headline')}</p>
          <p className={classes.text}>{t('login.pitch')}</p>
        </div>
      </aside>
      <main className={classes.main}>
        <div className={classes.tools}>
          <span className={classes.brand}>
            <Brand />
          </span>
          <LanguageMenu />
          <ThemeToggle />
        </div>
        <LoginForm>
          <Link to={paths.remember()} className={classes.forgot}>
            {t('login.forgot')}
          </Link>
        </LoginForm>
        <div className={classes.foot}>
          <p>{t('login.browsers')}</p>
          <p className={classes.cookies}>
            <CookieLinks className={classes.cookie} />
          </p>
        </div>
      </main>
    </div>
  );
}
