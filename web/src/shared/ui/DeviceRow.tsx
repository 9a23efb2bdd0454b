import type { ReactNode } from 'react';
import { type T, useT } from '@/shared/i18n';
import { Icon } from './Icon';
import { Row } from './Section';
import { Tag } from './Tag';

/** A browser somebody uses; the server writes a dash for what it does not know. */
interface NamedDevice {
  browser: string;
  os: string;
  /** The one in hand. */
  current?: boolean;
}

/** "Chrome en Windows", or what is known of it. */
export function deviceName(t: T, device: NamedDevice): string {
  const [browser, os] = [device.browser, device.os].map((name) => (name === '–' ? null : name));
  if (browser && os) return t('security.browserOn', { browser, os });
  return browser || os || t('security.unknownDevice');
}

const isPhone = ({ os }: NamedDevice) => /android|ios|iphone|ipad/i.test(os);

interface DeviceRowProps {
  device: NamedDevice;
  /** Second line. */
  facts: string;
  action: ReactNode;
}

/** One device among the rows of a section. */
export function DeviceRow({ device, facts, action }: DeviceRowProps) {
  const t = useT();
  return (
    <Row
      icon={<Icon name={isPhone(device) ? 'phone' : 'globe'} />}
      title={
        <>
          {deviceName(t, device)}
          {device.current && <Tag tone="acc">{t('security.thisDevice')}</Tag>}
        </>
      }
      facts={facts}
      action={action}
    />
  );
}
