import { useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment } from 'react';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { Role, roleOf } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { StateView } from '@/shared/ui/StateView';
import { ApiDoc } from '../components/ApiDoc';
import { CallLinkBuilder } from '../components/CallLinkBuilder';
import { KeyList } from '../components/KeyList';
import { Webhooks } from '../webhooks/Webhooks';
import classes from './ApiPage.module.css';

/** `/api`: a customer's keys and what to do with them; the administrator chooses the customer. */
export function ApiPage() {
  const t = useT();
  const admin = roleOf(useRequiredSession()) === Role.administrator;
  const [customer, setCustomer] = useCustomer();
  usePage({ title: t('apikeys.title') });
  return (
    <div className={classes.root}>
      <div>
        <h1>{t('apikeys.title')}</h1>
        <p className={classes.hint}>{t('apikeys.hint')}</p>
      </div>
      {admin && (
        <CompanyPicker
          className={classes.customer}
          label={t('apikeys.customer')}
          kinds={[2]}
          value={customer}
          onChange={setCustomer}
        />
      )}
      {admin && !customer ? (
        <StateView icon="code" title={t('apikeys.customerPick')} text={t('apikeys.customerPickText')} />
      ) : (
        <Fragment key={customer}>
          <KeyList customerId={admin ? customer : null} />
          <Webhooks customerId={admin ? customer : null} />
        </Fragment>
      )}
      <CallLinkBuilder />
      <ApiDoc />
    </div>
  );
}

/** The administrator's choice, kept in the address. */
function useCustomer(): [string | null, (id: string | null) => void] {
  const { customer } = useSearch({ strict: false }) as { customer?: unknown };
  const navigate = useNavigate();
  const choose = (id: string | null) => {
    // The routes do not declare their parameters, so the router's types know none.
    void navigate({ to: '.', search: (id ? { customer: id } : {}) as never, replace: true });
  };
  return [typeof customer === 'string' && customer ? customer : null, choose];
}
