import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import type { DeviceKind, DevicesState } from '@/rtc';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import classes from './Dock.module.css';
import { DockButton } from './DockButton';

interface DeviceMenuProps {
  devices: DevicesState;
  onOpen: () => void;
  onChoose: (kind: DeviceKind, id: string) => void;
  target?: ReactElement;
}

const GROUPS: ReadonlyArray<{ kind: DeviceKind; icon: IconName }> = [
  { kind: 'audioinput', icon: 'mic' },
  { kind: 'videoinput', icon: 'video' },
  { kind: 'audiooutput', icon: 'vol' },
];

/** The microphones, cameras and speakers of this computer; the one in use is marked. */
export function DeviceMenu({ devices, onOpen, onChoose, target }: DeviceMenuProps) {
  const t = useT();
  const titles = {
    audioinput: t('call.microphones'),
    videoinput: t('call.cameras'),
    audiooutput: t('call.speakers'),
  } as const;
  const shown = GROUPS.filter((group) => devices[group.kind].length > 0);
  return (
    <Menu position="top-end" width={300} onOpen={onOpen}>
      <Menu.Target>{target ?? <DockButton icon="gear" label={t('call.devices')} />}</Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {shown.length === 0 && <Menu.Label>{t('call.devicesNone')}</Menu.Label>}
        {shown.map((group) => (
          <div key={group.kind}>
            <Menu.Label>{titles[group.kind]}</Menu.Label>
            {devices[group.kind].map((device, index) => (
              <Menu.Item
                key={device.id}
                leftSection={<Icon name={group.icon} size={16} />}
                rightSection={
                  devices.active[group.kind] === device.id ? (
                    <Icon name="check" size={16} label={t('call.deviceInUse')} />
                  ) : null
                }
                onClick={() => onChoose(group.kind, device.id)}
              >
                {device.label || t('call.deviceNameless', { n: index + 1 })}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
