import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { logout } from '@/api/client';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useRequiredSession } from '@/shared/session';
import { DeviceRow, deviceName } from '@/shared/ui/DeviceRow';
import { confirm } from '@/shared/ui/dialogs';
import { Rows, Section } from '@/shared/ui/Section';
import { toast } from '@/shared/ui/toast';
import { type Device, endOtherSessions, endSession, listDevices } from '../api';

/** Where this account is logged in; ends one session, all others or all. */
export function DevicesSection() {
  const t = useT();
  const language = useLanguage();
  const { user } = useRequiredSession();
  const queries = useQueryClient();
  const devices = useQuery(listDevices(user._id));
  const settled = {
    onSuccess: () => toast.ok({ title: t('security.sessionEnded') }),
    onError: (error: Error) => toast.error({ title: t('security.endFailed'), text: errorText(t, error) }),
    onSettled: () => queries.invalidateQueries(listDevices(user._id)),
  };
  const end = useMutation({ mutationFn: endSession, ...settled });
  const endOthers = useMutation({ mutationFn: () => endOtherSessions(user._id), ...settled });
  // The others first, then this one as any log-out does.
  const endAll = useMutation({
    mutationFn: () => endOtherSessions(user._id).then(logout),
    onError: settled.onError,
  });
  const others = devices.data?.some((device) => !device.current) ?? false;

  const askEndOthers = async () => {
    const yes = await confirm({
      title: t('security.endOthersTitle'),
      text: t('security.endOthersText'),
      confirm: t('security.endOthers'),
    });
    if (yes) endOthers.mutate();
  };
  const askEndAll = async () => {
    const yes = await confirm({
      title: t('security.endAll'),
      text: t('security.endAllText'),
      confirm: t('security.endAll'),
    });
    if (yes) endAll.mutate();
  };
  const facts = (device: Device) => {
    const seen = t('security.lastSeen', { date: shortDateTime(device.lastSeenAt ?? device.createdAt, language) });
    const since = t('security.since', { date: shortDateTime(device.createdAt, language) });
    return [device.address, since, device.current ? null : seen].filter(Boolean).join(' · ');
  };

  return (
    <Section
      id="security-devices"
      title={t('security.devices')}
      text={t('security.devicesText')}
      action={
        <Group gap={8}>
          {others && (
            <Button variant="default" loading={endOthers.isPending} onClick={() => void askEndOthers()}>
              {t('security.endOthers')}
            </Button>
          )}
          <Button variant="default" loading={endAll.isPending} onClick={() => void askEndAll()}>
            {t('security.endAll')}
          </Button>
        </Group>
      }
    >
      <Rows query={devices} error={t('security.devicesError')} empty={t('security.noDevices')} waiting={2}>
        {(device) => (
          <DeviceRow
            key={device._id}
            device={device}
            facts={facts(device)}
            action={
              !device.current && (
                <Button
                  variant="subtle"
                  size="xs"
                  loading={end.isPending && end.variables === device._id}
                  aria-label={t('security.endOne', { device: deviceName(t, device) })}
                  onClick={() => end.mutate(device._id)}
                >
                  {t('security.end')}
                </Button>
              )
            }
          />
        )}
      </Rows>
    </Section>
  );
}
