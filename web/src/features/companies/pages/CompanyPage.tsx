import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getCompany } from '@/shared/company/api';
import { insurersOf } from '@/shared/company/insurers';
import { type Company, KINDS, kindOf, kindTitle, PLATFORM } from '@/shared/company/kinds';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { Role } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { parentKind } from '../api';
import { CompanyEditorForm } from '../components/CompanyEditorForm';
import classes from '../components/CompanyPage.module.css';

type CompanyPart = (company: Company, own: boolean) => ReactNode;

/** What other features say of a company. */
interface CompanyPageProps {
  /** What has to be done, at the top. */
  notice?: CompanyPart;
  /** Below its account. */
  bank?: CompanyPart;
  /** That new terms wait to be accepted. */
  pendingTerms?: ReactNode;
}

/**
 * `/customer/{parent}/perfil`: the data of one's own company for its principal, of any for the administrator; the
 * platform company's are the invoice issuer's.
 */
export function CompanyPage({ notice, bank, pendingTerms }: CompanyPageProps) {
  const t = useT();
  const { parent = '' } = useParams({ strict: false }) as { parent?: string };
  const { user } = useRequiredSession();
  const own = user.parent === parent;
  const admin = user.role === Role.administrator;

  // Of one's own company the session knows the kind; of another one the server is asked.
  const asked = useQuery({ ...parentKind(parent), enabled: !own });
  const companyType = own ? user.company?.companyType : asked.data;
  const kind = kindOf(companyType ?? (own && admin ? '1' : undefined));
  const known = own || asked.data !== undefined;
  const company = useQuery({ ...getCompany(kind, parent), enabled: known });
  const insurers = useQuery({ ...insurersOf(parent), enabled: known && kind === 2 });

  const listed = admin && !own && known && kind !== PLATFORM;
  const title = own ? t('companies.profile') : (company.data?.company ?? t('companies.profile'));
  usePage({ title, crumb: listed ? { label: kindTitle(t, kind), href: KINDS[kind].href } : undefined });

  const error = asked.error ?? company.error;
  if (error && !company.data) {
    const retry = () => void (asked.error ? asked.refetch() : company.refetch());
    return <LoadFailed title={t('companies.loadFailed')} error={error} onRetry={retry} />;
  }
  // The form starts with what is stored, so it waits for all of it; insurers that fail to load are only not shown.
  if (!company.data || (insurers.isPending && insurers.isFetching)) return <Waiting />;
  return (
    <CompanyEditorForm
      key={company.data._id}
      company={company.data}
      admin={admin}
      own={own}
      notice={notice?.(company.data, own)}
      bank={bank?.(company.data, own)}
      pendingTerms={pendingTerms}
      assigned={insurers.data ?? null}
    />
  );
}

function Waiting() {
  return (
    <div className={classes.waiting} aria-hidden="true">
      <Skeleton h={24} w={280} />
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className={classes.two}>
          <Skeleton h={36} />
          <Skeleton h={36} />
        </div>
      ))}
    </div>
  );
}
