import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { PageTitle } from '@/shared/ui/PageTitle';
import { toast } from '@/shared/ui/toast';
import { checkChain, getVerifactu } from '../api';
import { CheckResult } from '../components/CheckResult';
import { ExportForm } from '../components/ExportForm';
import { Obligation } from '../components/Obligation';
import { Overview } from '../components/Overview';
import { Records } from '../components/Records';
import { ModeTag } from '../components/Tags';
import classes from '../components/verifactu.module.css';

/** `/verifactu`: the chain of invoice records, its check, and what the tax agency answered. */
export function VerifactuPage() {
  const t = useT();
  const source = useQuery(getVerifactu());
  const check = useMutation({
    mutationFn: checkChain,
    onError: (error) => toast.error({ title: t('verifactu.checkFailed'), text: errorText(t, error) }),
  });
  const [exporting, setExporting] = useState(false);
  const title = t('verifactu.title');
  usePage({ title });
  const state = source.data;
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <PageTitle
          title={title}
          state={state && <ModeTag mode={state.mode} />}
          lead={state && t(`verifactu.lead_${state.mode}`)}
        />
        <div className={classes.buttons}>
          <Button component={Link} to={paths.declaration()} variant="default">
            {t('verifactu.declaration')}
          </Button>
          <Button
            variant="default"
            leftSection={<Icon name="dl" size={16} />}
            aria-expanded={exporting}
            disabled={!state}
            onClick={() => setExporting(!exporting)}
          >
            {t('verifactu.export')}
          </Button>
          <Button
            leftSection={<Icon name="seal" size={16} />}
            loading={check.isPending}
            disabled={!state}
            title={t('verifactu.checkText')}
            onClick={() => check.mutate()}
          >
            {t('verifactu.check')}
          </Button>
        </div>
      </div>
      {check.data && !check.isPending && <CheckResult check={check.data} />}
      {state ? (
        <>
          <Obligation state={state} />
          {exporting && <ExportForm onDone={() => setExporting(false)} />}
          <Overview state={state} />
          <Records />
        </>
      ) : source.error ? (
        <LoadFailed title={t('verifactu.loadFailed')} error={source.error} onRetry={() => void source.refetch()} />
      ) : (
        <Skeleton h={200} radius="lg" aria-hidden="true" />
      )}
    </section>
  );
}
