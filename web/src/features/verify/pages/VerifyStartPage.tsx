import { Link } from '@tanstack/react-router';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { ReadingPage } from '@/shared/ui/ReadingPage';
import { CodeForm } from '../components/CodeForm';
import { Keys } from '../components/Keys';
import classes from '../components/verify.module.css';

/** `/verificar`: asks for the code that the certificate carries. */
export function VerifyStartPage() {
  const t = useT();
  usePage({ title: t('verify.title') });
  return (
    <ReadingPage title={t('verify.title')} lead={t('verify.lead')}>
      <section className={classes.panel}>
        <div className={classes.inside}>
          <CodeForm autoFocus />
        </div>
      </section>
      <Keys />
      <p>
        <Link to={paths.evidenceRoots()}>{t('verify.rootsSee')}</Link>
      </p>
    </ReadingPage>
  );
}
