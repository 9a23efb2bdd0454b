import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { Role } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { PageTitle } from '@/shared/ui/PageTitle';
import { Section } from '@/shared/ui/Section';
import { fiscalIdentity } from '../api';
import { BlockFacts } from '../components/BlockFacts';
import { FiscalForm } from '../components/FiscalForm';
import classes from '../components/fiscal.module.css';
import { History } from '../components/History';
import { OpenRequest } from '../components/OpenRequest';

/** `/customer/{parent}/fiscal`: what invoices say of a company, what it asked for, and what they said before. */
export function FiscalIdentityPage() {
  const t = useT();
  const { parent = '' } = useParams({ strict: false }) as { parent?: string };
  const { user } = useRequiredSession();
  const admin = user.role === Role.administrator;
  const [changing, change] = useState(false);
  const source = useQuery(fiscalIdentity(parent));
  const title = t('fiscal.title');
  usePage({ title, crumb: { label: t('companies.profile'), href: paths.companyProfile(parent) } });
  const identity = source.data;
  if (!identity) {
    return source.error ? (
      <LoadFailed title={t('fiscal.loadFailed')} error={source.error} onRetry={() => void source.refetch()} />
    ) : (
      <Skeleton h={240} radius="lg" aria-hidden="true" />
    );
  }
  const start = (
    <Button leftSection={<Icon name="pen" size={16} />} onClick={() => change(true)}>
      {admin ? t('fiscal.change') : t('fiscal.ask')}
    </Button>
  );
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <PageTitle title={title} lead={admin ? t('fiscal.leadAdmin') : t('fiscal.lead')} />
        {!changing && (admin || !identity.openRequest) && start}
      </div>
      {changing && (
        <Section id="fiscal-change" title={admin ? t('fiscal.change') : t('fiscal.ask')} text="">
          <FiscalForm identity={identity} admin={admin} onClose={() => change(false)} />
        </Section>
      )}
      {identity.openRequest && <OpenRequest request={identity.openRequest} admin={admin} />}
      <Section id="fiscal-block" title={t('fiscal.inForce')} text="">
        <BlockFacts block={identity.block} regime={identity.regime} />
      </Section>
      <History identity={identity} />
    </div>
  );
}
