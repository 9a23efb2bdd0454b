import { useNavigate } from '@tanstack/react-router';
import { homeOf } from '@/app/guards';
import { LanguageMenu } from '@/features/language/LanguageMenu';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { session } from '@/shared/session';
import { Brand } from '@/shared/ui/Brand';
import { ThemeToggle } from '@/shared/ui/ThemeToggle';
import { LoginForm } from '../components/LoginForm';
import { Tower } from '../components/Tower';
import classes from './LoginPage.module.css';

/** SPEC §2 Login. The recovery link joins it with the page it leads to. */
export function LoginPage() {
  const t = useT();
  const navigate = useNavigate();
  usePage({ title: t('login.title') });
  const onEntered = () => {
    const current = session.current();
    if (current) void navigate({ href: homeOf(current.user.role), replace: true });
  };
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
        <LoginForm onEntered={onEntered} />
        <p className={classes.foot}>{t('login.browsers')}</p>
      </main>
    </div>
  );
}
