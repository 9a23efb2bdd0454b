import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { announceLater } from '@/shared/company/activation-notice';
import { errorText, useT } from '@/shared/i18n';
import { isDeadLink } from '@/shared/lib/activation-links';
import { usePage } from '@/shared/lib/page';
import { formatPhone } from '@/shared/lib/phone';
import { Role } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { session } from '@/shared/session';
import { notice } from '@/shared/ui/dialogs';
import { Note } from '@/shared/ui/Note';
import { PublicFrame } from '@/shared/ui/PublicFrame';
import { toast } from '@/shared/ui/toast';
import { type CompanyToEnable, companyToEnable, enableCompany } from '../api';
import classes from '../components/forms.module.css';
import { type CompanyKind, kindOfType } from '../model';

/** `/admin-enable/{type}/{customer}/{token}`. */
export function AdminEnablePage() {
  const t = useT();
  const { type = '', customer = '', token = '' } = useParams({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const told = useRef(false);
  usePage({ title: t('activation.enableTitle') });
  const kind = kindOfType(type);
  const { data, error } = useQuery(companyToEnable(customer, token));
  const mistaken = data && kind && data.companyType !== String(kind.role);
  const failure = error ?? (!kind || mistaken ? new Error('the address names another kind of company') : null);

  useEffect(() => {
    if (!failure || told.current) return;
    told.current = true;
    const text = error ? errorText(t, failure) : t('activation.invalidText');
    // A link that cannot work leads to the root; data that could not be loaded, to the list.
    const href = error && !isDeadLink(error) ? paths.customers() : paths.root();
    void notice({ tone: 'bad', title: t('companies.activateError'), text }).then(() =>
      navigate({ href, replace: true }),
    );
  }, [failure, error, t, navigate]);

  const title = data ? data.company || data.name : t('activation.enableTitle');
  return (
    <PublicFrame width="wide" title={title} subtitle={t('activation.enableSubtitle')}>
      {data && kind && !failure ? (
        <Enable company={data} kind={kind} token={token} />
      ) : (
        !failure && <Skeleton h={320} />
      )}
    </PublicFrame>
  );
}

function Enable({ company, kind, token }: { company: CompanyToEnable; kind: CompanyKind; token: string }) {
  const t = useT();
  const navigate = useNavigate();
  const enabling = useMutation({
    mutationFn: () => enableCompany(kind, company._id, token),
    onSuccess: () => {
      announceLater(company.email);
      toast.ok({
        title: t('activation.enableOk'),
        text: t('activation.enableOkText', { company: company.company || company.name }),
      });
      const administrator = session.current()?.user.role === Role.administrator;
      void navigate({ href: administrator ? paths.customers() : paths.login(), replace: true });
    },
  });
  return (
    <>
      <Facts company={company} />
      {enabling.error && (
        <div style={{ marginTop: 16 }}>
          <Note tone="bad" icon="warn" title={t('companies.activateError')} text={errorText(t, enabling.error)} />
        </div>
      )}
      <div className={classes.foot}>
        <Button size="md" loading={enabling.isPending} onClick={() => enabling.mutate()}>
          {t('companies.activate', { type: t(`companies.type${kind.role}`) })}
        </Button>
      </div>
    </>
  );
}

function Facts({ company }: { company: CompanyToEnable }) {
  const t = useT();
  const facts: [string, string | null | undefined, boolean?][] = [
    [t('companies.name'), company.name],
    [t('companies.company'), company.company],
    [t('companies.cif'), company.cif, true],
    [t('companies.address'), company.address],
    [t('companies.postalCode'), company.postalCode, true],
    [t('companies.city'), company.city],
    [t('companies.region'), company.region],
    [t('companies.mobile'), company.mobile && formatPhone(company.mobile), true],
    [t('companies.phone'), company.phone && formatPhone(company.phone), true],
    [t('companies.email'), company.email],
    // The IBAN if present.
    ...(company.bankAccount ? [[t('companies.iban'), company.bankAccount, true] as [string, string, boolean]] : []),
  ];
  return (
    <dl className={classes.facts}>
      {facts.flatMap(([label, value, number]) => [
        <dt key={`${label}-name`}>{label}</dt>,
        <dd key={label} className={number ? 'num' : undefined}>
          {value || t('common.none')}
        </dd>,
      ])}
    </dl>
  );
}
