import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { changeRunStatus, resetService, type ServiceStatus, serviceStatus } from '../api';
import classes from './ServiceState.module.css';

interface RunSwitchProps {
  status: ServiceStatus;
  /** What is shown is older than the last question. */
  lost: boolean;
}

/** The switch of the delivery, who moved it last, and another try for what waits. */
export function RunSwitch({ status, lost }: RunSwitchProps) {
  const t = useT();
  const language = useLanguage();
  const { running, changedAt, changedBy } = status;
  const { toggle, again, busy } = useSwitch(status);
  const since =
    changedAt &&
    t(running ? 'messageservice.startedBy' : 'messageservice.stoppedBy', {
      who: changedBy ?? '–',
      when: shortDateTime(changedAt, language),
    });
  return (
    <section className={classes.switch} data-stopped={!running || undefined} aria-labelledby="delivery">
      <div className={classes.words}>
        <div className={classes.title}>
          <h2 id="delivery">{t('messageservice.delivery')}</h2>
          <Tag tone={running ? 'ok' : 'warn'} icon={running ? 'check' : 'pause'}>
            {running ? t('messageservice.running') : t('messageservice.stopped')}
          </Tag>
          <output className={classes.live}>{lost ? t('shell.networkLost') : t('outbox.live')}</output>
        </div>
        <p className={classes.text}>{running ? t('messageservice.runningText') : t('messageservice.stoppedText')}</p>
        {since && <p className={`${classes.quiet} num`}>{since}</p>}
      </div>
      <div className={classes.actions}>
        <Button
          variant="default"
          leftSection={<Icon name="refresh" size={16} />}
          loading={busy === 'reset'}
          disabled={busy === 'run'}
          onClick={() => void again()}
        >
          {t('messageservice.reset')}
        </Button>
        <Button
          variant={running ? 'default' : 'filled'}
          leftSection={<Icon name={running ? 'pause' : 'play'} size={16} />}
          loading={busy === 'run'}
          disabled={busy === 'reset'}
          onClick={() => void toggle()}
        >
          {running ? t('messageservice.stop') : t('messageservice.start')}
        </Button>
      </div>
    </section>
  );
}

function useSwitch({ running, queued }: ServiceStatus) {
  const t = useT();
  const queries = useQueryClient();
  const shown = (status: ServiceStatus) => {
    queries.setQueryData(serviceStatus.queryKey, status);
    void queries.invalidateQueries({ queryKey: ['list_outbox'] });
  };
  const run = useMutation({
    mutationFn: changeRunStatus,
    onSuccess: (status) => {
      shown(status);
      toast.ok({ title: status.running ? t('messageservice.started') : t('messageservice.halted') });
    },
    onError: (error) => toast.error({ title: t('messageservice.changeFailed'), text: errorText(t, error) }),
  });
  const reset = useMutation({
    mutationFn: resetService,
    onSuccess: (status) => {
      shown(status);
      toast.ok({ title: t('messageservice.resetDone', { count: status.reset ?? 0 }) });
    },
    onError: (error) => toast.error({ title: t('messageservice.changeFailed'), text: errorText(t, error) }),
  });
  const toggle = async () => {
    const sure = await confirm(
      running
        ? {
            title: t('messageservice.stopTitle'),
            text: t('messageservice.stopText'),
            confirm: t('messageservice.stop'),
          }
        : {
            title: t('messageservice.startTitle'),
            text: t('messageservice.startText', { count: queued }),
            confirm: t('messageservice.start'),
          },
    );
    if (sure) run.mutate(!running);
  };
  const again = async () => {
    const sure = await confirm({
      title: t('messageservice.resetTitle'),
      text: t('messageservice.resetText'),
      confirm: t('messageservice.reset'),
    });
    if (sure) reset.mutate();
  };
  const busy = run.isPending ? 'run' : reset.isPending ? 'reset' : null;
  return { toggle, again, busy };
}
