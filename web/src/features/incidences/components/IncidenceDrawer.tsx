import { Button, Skeleton, Tabs } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { longDateTime } from '@/shared/lib/dates';
import { formatPhone } from '@/shared/lib/phone';
import { isRepairSide, Role, roleOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { DetailDrawer } from '@/shared/ui/DetailDrawer';
import { confirm } from '@/shared/ui/dialogs';
import { FactList } from '@/shared/ui/FactList';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { StateView } from '@/shared/ui/StateView';
import tabbed from '@/shared/ui/tabbed-drawer.module.css';
import { toast } from '@/shared/ui/toast';
import { changeIncidence, getIncidence, keepIncidence } from '../api';
import { moveText, reasonText, statusText, typeText } from '../model';
import { type IncidenceDetail, STATUSES, type Status } from '../types';
import { Conversation } from './Conversation';
import { DiagnosticsTab } from './DiagnosticsTab';
import classes from './drawer.module.css';
import { LogTab } from './LogTab';
import { NotesTab } from './NotesTab';
import { StatusTag } from './StatusTag';

interface IncidenceDrawerProps {
  /** `null` is closed. */
  id: string | null;
  onClose: () => void;
}

/** An incidence on the right of its list: its status and what may follow, the answers, notes, diagnostics and log. */
export function IncidenceDrawer({ id, onClose }: IncidenceDrawerProps) {
  const t = useT();
  return (
    <DetailDrawer
      of={id}
      onClose={onClose}
      size={720}
      title={t('incidences.one')}
      classNames={{ body: tabbed.body, header: tabbed.header }}
    >
      {(one) => <Details key={one} id={one} />}
    </DetailDrawer>
  );
}

function Details({ id }: { id: string }) {
  const t = useT();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(getIncidence(id));
  // Having been asked for it is no longer unread.
  const unread = data?.unread;
  useEffect(() => {
    if (unread) void client.invalidateQueries({ queryKey: ['list_incidences'] });
  }, [client, unread]);
  if (error && !data) {
    const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void refetch() };
    const text = errorText(t, error);
    return <StateView icon="warn" tone="bad" title={t('incidences.searchFailed')} text={text} action={retry} />;
  }
  if (!data) return <Waiting />;
  return <Panel incidence={data} />;
}

function Panel({ incidence }: { incidence: IncidenceDetail }) {
  const t = useT();
  const admin = roleOf(useRequiredSession()) === Role.administrator;
  const { diagnostics, notes } = incidence;
  return (
    <>
      <Head incidence={incidence} admin={admin} />
      <Tabs defaultValue="answers" keepMounted={false} classNames={{ list: tabbed.tabs, tab: tabbed.tab }}>
        <Tabs.List>
          <Tabs.Tab value="answers">{t('incidences.conversation')}</Tabs.Tab>
          {admin && (
            <Tabs.Tab value="notes">
              {t('incidences.notes')}
              {notes.length > 0 && <span className={`${classes.tabCount} num`}>{notes.length}</span>}
            </Tabs.Tab>
          )}
          {diagnostics && <Tabs.Tab value="diagnostics">{t('incidences.diagnostics')}</Tabs.Tab>}
          <Tabs.Tab value="log">{t('incidences.log')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="answers" className={classes.panel}>
          <Conversation incidence={incidence} admin={admin} />
        </Tabs.Panel>
        {admin && (
          <Tabs.Panel value="notes" className={classes.panel}>
            <NotesTab incidence={incidence} />
          </Tabs.Panel>
        )}
        {diagnostics && (
          <Tabs.Panel value="diagnostics" className={classes.panel}>
            <DiagnosticsTab diagnostics={diagnostics} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="log" className={classes.panel}>
          <LogTab id={incidence._id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

const MOVE_ICONS: Record<Status, IconName> = { 1: 'clock', 2: 'eye', 3: 'refresh', 4: 'check' };

function Head({ incidence, admin }: { incidence: IncidenceDetail; admin: boolean }) {
  const t = useT();
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: (status: Status) => changeIncidence({ _id: incidence._id, status }),
    onSuccess: (changed) => {
      keepIncidence(client, changed);
      toast.ok({ title: t('incidences.moved', { status: statusText(t, changed.status) }) });
    },
    onError: (error) => {
      toast.error({ title: t('incidences.changeFailed'), text: errorText(t, error) });
      // Somebody else may have moved it meanwhile.
      void client.invalidateQueries({ queryKey: getIncidence(incidence._id).queryKey });
    },
  });
  const ask = async (status: Status) => {
    const sure =
      status !== 4 ||
      (await confirm({
        title: t('incidences.archiveTitle', { number: incidence.number }),
        text: t('incidences.archiveText'),
        confirm: moveText(t, 4),
      }));
    if (sure) move.mutate(status);
  };
  // Its author reopens it with a word, in the answer below.
  const moves = admin ? STATUSES.filter((status) => incidence.moves.includes(status)) : [];
  const { number, status, type, reason } = incidence;
  return (
    <div className={classes.head}>
      <div className={classes.name}>
        <h2 className="num">{number}</h2>
        <StatusTag status={status} />
      </div>
      <p className={classes.quiet}>
        {[typeText(t, type), reasonText(t, reason), incidence.author.name, incidence.company.company]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <Facts incidence={incidence} />
      {moves.length > 0 && (
        <div className={classes.actions}>
          {moves.map((next) => (
            <Button
              key={next}
              variant={next === 2 ? 'filled' : 'default'}
              loading={move.isPending && move.variables === next}
              leftSection={<Icon name={MOVE_ICONS[next]} size={16} />}
              onClick={() => void ask(next)}
            >
              {moveText(t, next)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Case, phone and day. The repair side has no page of a case. */
function Facts({ incidence }: { incidence: IncidenceDetail }) {
  const t = useT();
  const language = useLanguage();
  const repair = isRepairSide(roleOf(useRequiredSession()));
  const { expedientNumber, conferenceId, phoneNumber, createdAt } = incidence;
  const linked = expedientNumber && conferenceId !== null && !repair;
  const number = linked ? <Link to={paths.expedient(expedientNumber)}>{expedientNumber}</Link> : expedientNumber;
  return (
    <FactList
      className={classes.facts}
      facts={[
        [t('incidences.created'), longDateTime(createdAt, language)],
        [t('incidences.expedient'), number],
        [t('incidences.phone'), phoneNumber && formatPhone(phoneNumber)],
      ]}
    />
  );
}

function Waiting() {
  return (
    <div className={classes.head} aria-hidden="true">
      <Skeleton h={26} w={160} />
      <Skeleton h={14} w={240} mt={8} />
      <Skeleton h={200} mt={24} />
    </div>
  );
}
