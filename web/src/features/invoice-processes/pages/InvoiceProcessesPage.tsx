import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { useListState } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { PageTitle } from '@/shared/ui/PageTitle';
import { StateView } from '@/shared/ui/StateView';
import { listProcesses } from '../api';
import { AccountantPack } from '../components/AccountantPack';
import { JobBar } from '../components/JobBar';
import { MonthPanel } from '../components/MonthPanel';
import { MonthsTable } from '../components/MonthsTable';
import { Unsent } from '../components/Problems';
import classes from '../components/processes.module.css';
import {
  chosenProcess,
  jobOf,
  mayCollect,
  mayGenerate,
  nextTask,
  type Process,
  type Processes,
  type Task,
  unsentOf,
} from '../model';
import { type ProcessActions, useJobEnd, useProcessActions } from '../use-process-actions';

/** `/invoice-processes`: closed months are calculated, issued and sent here. */
export function InvoiceProcessesPage() {
  const t = useT();
  const source = useQuery(listProcesses());
  const title = t('invoiceprocesses.title');
  usePage({ title });
  useJobEnd(source.data);
  if (source.data) return <Months data={source.data} title={title} />;
  return (
    <section className={classes.root}>
      <h1>{title}</h1>
      {source.error ? (
        <LoadFailed
          title={t('invoiceprocesses.loadFailed')}
          error={source.error}
          onRetry={() => void source.refetch()}
        />
      ) : (
        <>
          <Skeleton h={260} radius="lg" />
          <Skeleton h={180} radius="lg" />
        </>
      )}
    </section>
  );
}

function Months({ data, title }: { data: Processes; title: string }) {
  const t = useT();
  const navigate = useNavigate();
  const list = useListState({ sort: '-period', filters: ['period'] });
  const { processes } = data;
  // Once issued a month has nothing left to do, but whoever issued it wants to see it.
  const [first] = useState(() => chosenProcess(processes)?.period);
  const process = chosenProcess(processes, list.filters.period ?? first);
  const job = jobOf(processes);
  const actions = useProcessActions();
  const href = (period: string) => `${paths.invoiceProcesses()}?period=${period}`;
  const open = async (period: string) => {
    await navigate({ href: href(period), resetScroll: false });
    document.getElementById('main')?.scrollTo({ top: 0, behavior: 'smooth' });
  };
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <PageTitle title={title} lead={t('invoiceprocesses.lead')} />
        {process && <Actions data={data} process={process} actions={actions} />}
      </div>
      {job && <JobBar job={job} />}
      <Unsent failed={actions.unsent} />
      {process ? (
        <>
          <MonthPanel key={process.period} process={process} />
          <MonthsTable list={list} processes={processes} href={href} onOpen={(period) => void open(period)} />
          <AccountantPack processes={processes} />
        </>
      ) : (
        <StateView icon="euro" title={t('invoiceprocesses.empty')} text={t('invoiceprocesses.emptyText')} />
      )}
    </section>
  );
}

interface ActionsProps {
  data: Processes;
  process: Process;
  actions: ProcessActions;
}

/** The steps in their order; the next one is filled. */
function Actions({ data, process, actions }: ActionsProps) {
  const t = useT();
  const unsent = unsentOf(data.processes);
  const task = nextTask(process, unsent);
  const look = (of: Task) => (task === of ? 'filled' : 'default');
  // One job at a time, whoever started it.
  const waits = data.running || actions.busy;
  return (
    <div className={classes.buttons}>
      <Button
        variant={look('calculate')}
        leftSection={<Icon name="refresh" size={16} />}
        loading={actions.calculating}
        disabled={waits}
        onClick={actions.recalculate}
      >
        {process.state === 'pending' ? t('invoiceprocesses.calculate') : t('invoiceprocesses.recalculate')}
      </Button>
      <Button
        variant={look('generate')}
        leftSection={<Icon name="doc" size={16} />}
        loading={actions.generating}
        disabled={waits || !mayGenerate(process)}
        onClick={() => void actions.generate(process)}
      >
        {t('invoiceprocesses.generate')}
      </Button>
      <Button
        variant={look('send')}
        leftSection={<Icon name="send" size={16} />}
        loading={actions.sending}
        disabled={waits || unsent === 0}
        title={unsent === 0 ? t('invoiceprocesses.nothingToSend') : undefined}
        onClick={() => void actions.send(unsent)}
      >
        {t('invoiceprocesses.send')}
      </Button>
      {mayCollect(process) ? (
        <Button
          component={Link}
          to={paths.remittances()}
          variant={look('collect')}
          leftSection={<Icon name="euro" size={16} />}
        >
          {t('invoiceprocesses.collect')}
        </Button>
      ) : (
        <Button variant="default" disabled leftSection={<Icon name="euro" size={16} />}>
          {t('invoiceprocesses.collect')}
        </Button>
      )}
    </div>
  );
}
