import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { getCompany, getUser } from '@/shared/company/api';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { useUnsaved } from '@/shared/lib/use-unsaved';
import { Role, roleOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { PageTitle } from '@/shared/ui/PageTitle';
import { StateView } from '@/shared/ui/StateView';
import { toast } from '@/shared/ui/toast';
import { smsSender, smsText } from '../api';
import { Preview } from '../components/Preview';
import { Registration } from '../components/Registration';
import { SenderForm } from '../components/SenderForm';
import { TextForm } from '../components/TextForm';
import { senderState } from '../model';
import classes from './SmsConferencePage.module.css';

/**
 * `/sms-client-conference/{id}`: what a customer's SMS say and in whose name; the id is a user's, the texts his
 * company's. The administrator chooses the customer.
 */
export function SmsConferencePage() {
  const t = useT();
  const { id } = useParams({ strict: false }) as { id: string };
  const person = useRequiredSession();
  const admin = roleOf(person) === Role.administrator;
  const platform = admin && id === person.user._id;
  const title = t('smstexts.title');
  usePage({ title });
  return (
    <section className={classes.root}>
      <PageTitle title={title} lead={t('smstexts.lead')} />
      {admin && <CustomerChoice user={platform ? null : id} />}
      {platform ? (
        <div className={classes.panel}>
          <StateView icon="bld" title={t('smstexts.chooseTitle')} text={t('smstexts.chooseText')} />
        </div>
      ) : (
        <Texts key={id} user={id} admin={admin} />
      )}
    </section>
  );
}

/** Whose texts are shown; choosing a customer leads to its principal's address. */
function CustomerChoice({ user }: { user: string | null }) {
  const t = useT();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const own = useRequiredSession().user._id;
  const shown = useQuery({ ...getUser(user ?? ''), enabled: user !== null });
  const choose = async (company: string | null) => {
    if (!company) return navigate({ href: paths.smsConference(own) });
    const found = await queries.fetchQuery({ ...getCompany(2, company), staleTime: 0 });
    if (found.principal) return navigate({ href: paths.smsConference(found.principal._id) });
    toast.info({ title: t('smstexts.noPrincipal') });
  };
  return (
    <CompanyPicker
      className={classes.company}
      label={t('smstexts.company')}
      kinds={[2]}
      value={user === null ? null : (shown.data?.parent ?? null)}
      chosenName={shown.data?.company?.company}
      onChange={(company) =>
        void choose(company).catch((error: unknown) =>
          toast.error({ title: t('smstexts.companyFailed'), text: errorText(t, error) }),
        )
      }
    />
  );
}

function Texts({ user, admin }: { user: string; admin: boolean }) {
  const t = useT();
  const queries = useQueryClient();
  const text = useQuery(smsText(user));
  const sender = useQuery(smsSender(user));
  const [typed, setTyped] = useState<{ sms: string; accents: boolean } | null>(null);
  const [dirty, setDirty] = useState({ text: false, sender: false });
  useUnsaved(dirty.text || dirty.sender);
  const error = text.error ?? sender.error;
  if (!text.data || !sender.data) {
    if (!error) return <Skeleton h={360} radius="lg" />;
    const run = () => void Promise.all([text.refetch(), sender.refetch()]);
    return (
      <div className={classes.panel}>
        <StateView
          icon="warn"
          tone="bad"
          title={t('smstexts.loadError')}
          text={errorText(t, error)}
          action={{ label: t('common.retry'), icon: 'refresh', run }}
        />
      </div>
    );
  }
  const used = senderState(sender.data) === 'registered' ? sender.data.sms : null;
  return (
    <div className={classes.columns}>
      <div className={classes.forms}>
        <TextForm
          user={user}
          text={text.data}
          onTyped={setTyped}
          onDirty={(now) => setDirty((before) => ({ ...before, text: now }))}
        />
        <SenderForm
          user={user}
          sender={sender.data}
          onDirty={(now) => setDirty((before) => ({ ...before, sender: now }))}
        />
        {admin && sender.data.sms && (
          <Registration
            key={sender.data.status}
            sender={sender.data}
            onSaved={(saved) => queries.setQueryData(smsSender(user).queryKey, saved)}
          />
        )}
      </div>
      <Preview
        text={typed?.sms ?? text.data.sms}
        fold={typed?.accents ?? text.data.accents}
        link={text.data.link}
        sender={used}
      />
    </div>
  );
}
