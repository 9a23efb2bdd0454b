import { Button, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallStatus } from '@/rtc';
import { useT } from '@/shared/i18n';
import { initials } from '@/shared/lib/initials';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { useMediaPermission } from '../hooks/use-media-permission';
import classes from './WaitingPreview.module.css';

/** What goes on when the client comes in. */
export interface BeginWith {
  microphone: boolean;
  camera: boolean;
}

interface WaitingPreviewProps {
  name: string;
  begin: BeginWith;
  onBegin: (begin: BeginWith) => void;
  sound: { on: boolean; set: (on: boolean) => void };
  status: CallStatus;
}

function Row({ tone, children, end }: { tone: 'ok' | 'warn' | 'bad' | 'none'; children: ReactNode; end?: ReactNode }) {
  const icons: Record<typeof tone, IconName> = { ok: 'check', warn: 'warn', bad: 'x', none: 'bell' };
  return (
    <div className={classes.row}>
      <Icon name={icons[tone]} size={16} className={classes[tone]} />
      <span className={classes.grow}>{children}</span>
      {end}
    </div>
  );
}

/** Beside the client's progress: the own picture to come, what will be on, and whether the equipment is ready. */
export function WaitingPreview({ name, begin, onBegin, sound, status }: WaitingPreviewProps) {
  const t = useT();
  const permission = useMediaPermission();
  const connected = status.name === 'connected';
  return (
    <>
      <div className={classes.picture}>
        <span className={classes.avatar} aria-hidden="true">
          {initials(name)}
        </span>
        <span>{begin.camera ? t('call.waitCameraOn') : t('call.waitCameraOff')}</span>
        <div className={classes.toggles}>
          <IconAction
            icon={begin.microphone ? 'mic' : 'micoff'}
            label={t('call.waitMic')}
            pressed={begin.microphone}
            onClick={() => onBegin({ ...begin, microphone: !begin.microphone })}
          />
          <IconAction
            icon={begin.camera ? 'video' : 'camoff'}
            label={t('call.waitCamera')}
            pressed={begin.camera}
            onClick={() => onBegin({ ...begin, camera: !begin.camera })}
          />
        </div>
      </div>
      <section className={classes.equipment}>
        <h2>{t('call.equipment')}</h2>
        <Row
          tone={permission.state === 'denied' ? 'bad' : permission.state === 'prompt' ? 'warn' : 'ok'}
          end={
            permission.state === 'prompt' && (
              <Button size="xs" variant="default" onClick={() => void permission.ask()}>
                {t('call.equipmentAllow')}
              </Button>
            )
          }
        >
          {permission.state === 'denied' ? t('call.equipmentDenied') : t('call.equipmentDevices')}
        </Row>
        <Row
          tone={connected ? 'ok' : 'warn'}
          end={
            <span className={classes.dim}>
              {connected ? t('call.equipmentConnected') : t('call.equipmentConnecting')}
            </span>
          }
        >
          {t('call.equipmentNetwork')}
        </Row>
        <Row
          tone="none"
          end={
            <Switch
              size="sm"
              checked={sound.on}
              aria-label={t('call.equipmentSound')}
              onChange={(event) => sound.set(event.currentTarget.checked)}
            />
          }
        >
          {t('call.equipmentSound')}
        </Row>
      </section>
    </>
  );
}
