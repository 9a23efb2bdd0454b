import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { PageTitle } from '@/shared/ui/PageTitle';
import { getDeclaration } from '../api';
import classes from '../components/verifactu.module.css';
import { pointTitle } from '../model';

/**
 * `/declaracion-responsable`: the maker's statement about the billing system, for everybody inside the product; its
 * points and their order are those of art. 15 Orden HAC/1177/2024.
 */
export function DeclarationPage() {
  const t = useT();
  const language = useLanguage();
  const { data, error, refetch } = useQuery(getDeclaration(language));
  const title = t('verifactu.declaration');
  // It is no entry of the menu; for who has one, it belongs to Veri*Factu.
  usePage({ title, section: paths.verifactu() });
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <PageTitle title={title} lead={t('verifactu.declarationLead')} />
        {data && (
          <Button
            className={classes.noPrint}
            variant="default"
            leftSection={<Icon name="doc" size={16} />}
            onClick={() => window.print()}
          >
            {t('verifactu.declarationPrint')}
          </Button>
        )}
      </div>
      {data ? (
        <ol className={classes.points}>
          {data.points.map(({ point, text }) => (
            <li key={point} className={classes.point}>
              <span aria-hidden="true">{point})</span>
              <h2>{pointTitle(t, point)}</h2>
              <p>{text || t('verifactu.declarationMissing')}</p>
            </li>
          ))}
        </ol>
      ) : error ? (
        <LoadFailed title={t('verifactu.declarationFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h={480} maw={820} radius="lg" aria-hidden="true" />
      )}
    </section>
  );
}
