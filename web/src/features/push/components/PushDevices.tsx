import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useRequiredSession } from '@/shared/session';
import { DeviceRow, deviceName } from '@/shared/ui/DeviceRow';
import { Icon } from '@/shared/ui/Icon';
import { Rows, Section } from '@/shared/ui/Section';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { listPushDevices, type PushDevice, removePushDevice, testPush } from '../api';
import { Advice } from './Advice';
import { InstallApp } from './InstallApp';
import classes from './push.module.css';
import { useDevice } from './use-device';

/** Notices in this browser, and the devices that get them. */
export function PushDevices() {
  const t = useT();
  const language = useLanguage();
  const { user } = useRequiredSession();
  const queries = useQueryClient();
  const { state, on, off } = useDevice();
  const devices = useQuery(listPushDevices(user._id));
  const remove = useMutation({
    mutationFn: async (device: PushDevice) => {
      await removePushDevice(device._id);
      // The browser in hand goes silent too, even if its push service still has something for it.
      if (device.current) await off.mutateAsync();
    },
    onSuccess: (_done, device) => {
      if (!device.current) toast.ok({ title: t('push.removed') });
    },
    onError: (error: Error) => toast.error({ title: t('push.removeFailed'), text: errorText(t, error) }),
    onSettled: () => queries.invalidateQueries(listPushDevices(user._id)),
  });
  const facts = ({ createdAt, lastOkAt }: PushDevice) => {
    const since = t('push.since', { date: shortDateTime(createdAt, language) });
    const last = lastOkAt ? t('push.lastOk', { date: shortDateTime(lastOkAt, language) }) : t('push.never');
    return `${since} · ${last}`;
  };
  const active = state?.permission === 'granted' && state.subscription !== null;
  const blocked = state?.support === 'ok' && state.permission === 'denied';
  const offered = state?.support === 'ok' && !active && !blocked;
  return (
    <Section
      id="push-devices"
      title={t('push.title')}
      text={t('push.text')}
      state={
        state &&
        (active ? (
          <Tag tone="ok" icon="check">
            {t('push.on')}
          </Tag>
        ) : (
          <Tag>{blocked ? t('push.blocked') : t('push.off')}</Tag>
        ))
      }
      action={
        offered && (
          <Button leftSection={<Icon name="bell" size={16} />} loading={on.isPending} onClick={() => on.mutate()}>
            {t('push.turnOn')}
          </Button>
        )
      }
    >
      {offered && state.permission === 'default' && <p className={classes.hint}>{t('push.prompt')}</p>}
      {state && <Advice {...state} />}
      {active && (
        <Group gap={8}>
          <TestButton token={state.subscription} />
          <Button variant="default" loading={off.isPending} onClick={() => off.mutate()}>
            {t('push.turnOff')}
          </Button>
        </Group>
      )}
      <div className={classes.devices}>
        <h3>{t('push.devices')}</h3>
        <Rows query={devices} error={t('push.devicesError')} empty={t('push.noDevices')} waiting={1}>
          {(device) => (
            <DeviceRow
              key={device._id}
              device={device}
              facts={facts(device)}
              action={
                <Button
                  variant="subtle"
                  size="xs"
                  loading={remove.isPending && remove.variables._id === device._id}
                  aria-label={t('push.removeOne', { device: deviceName(t, device) })}
                  onClick={() => remove.mutate(device)}
                >
                  {t('push.remove')}
                </Button>
              }
            />
          )}
        </Rows>
      </div>
      <InstallApp />
    </Section>
  );
}

/** Sends one notice to this browser through its push service. */
function TestButton({ token }: { token: PushSubscriptionJSON | null }) {
  const t = useT();
  const queries = useQueryClient();
  const { user } = useRequiredSession();
  const test = useMutation({
    mutationFn: testPush,
    onSuccess: ({ state }) => {
      if (state === 'delivered') toast.ok({ title: t('push.testSent'), text: t('push.testSentText') });
      else toast.error({ title: t('push.testFailed'), text: t('push.testFailedText') });
    },
    onError: (error: Error) => toast.error({ title: t('push.testFailed'), text: errorText(t, error) }),
    onSettled: () => queries.invalidateQueries(listPushDevices(user._id)),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="send" size={16} />}
      loading={test.isPending}
      onClick={() => token && test.mutate(token)}
    >
      {t('push.test')}
    </Button>
  );
}
