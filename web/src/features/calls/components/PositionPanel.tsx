import { Button } from '@mantine/core';
import type { PermissionState, Place } from '@/api/types';
import { type Position, useNow } from '@/rtc';
import { useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { coordinatesText } from '@/shared/lib/coordinates';
import { timeOfDay } from '@/shared/lib/format';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { PlaceNote } from '@/shared/ui/PlaceNote';
import { MiniPlan } from './MiniPlan';
import classes from './PositionPanel.module.css';

interface PositionPanelProps {
  /** Oldest first. */
  positions: readonly Position[];
  /** What the server says about the newest one. */
  meaning: Place | null;
  client: string;
  permission: PermissionState;
  onClose: () => void;
}

/** Above this a fix says the quarter, not the house. Metres. */
const ROUGH_M = 100;

function Fix({ position }: { position: Position }) {
  const t = useT();
  const language = useLanguage();
  const now = useNow(1_000);
  const seconds = Math.max(0, Math.round((now - Date.parse(position.at)) / 1_000));
  const ago =
    seconds < 90 ? t('call.agoSeconds', { n: seconds }) : t('call.agoMinutes', { n: Math.round(seconds / 60) });
  return (
    <dl className={`${classes.facts} num`}>
      <dt>{t('call.coordinates')}</dt>
      <dd>{coordinatesText(position)}</dd>
      <dt>{t('call.accuracy')}</dt>
      <dd>
        {position.accuracy === null ? t('common.none') : `± ${Math.round(position.accuracy)} m`}
        {position.accuracy !== null && position.accuracy > ROUGH_M && ` · ${t('call.accuracyRough')}`}
      </dd>
      <dt>{t('call.fixTime')}</dt>
      <dd>
        {timeOfDay(position.at, language, true)} · {ago}
      </dd>
    </dl>
  );
}

/** Why there is no position. */
const WITHOUT = {
  pending: 'positionNone',
  granted: 'positionNone',
  denied: 'positionDenied',
  skipped: 'positionDenied',
  unanswered: 'positionAsked',
} as const;

/** The client's position: plan, coordinates, accuracy, when. */
export function PositionPanel({ positions, meaning, client, permission, onClose }: PositionPanelProps) {
  const t = useT();
  const last = positions[positions.length - 1];
  return (
    <section className={classes.panel} aria-label={t('call.position')}>
      <div className={classes.head}>
        <h2>{t('call.position')}</h2>
        <IconAction icon="x" size={28} label={t('common.close')} onClick={onClose} />
      </div>
      {last ? (
        <>
          <MiniPlan positions={positions} />
          <Fix position={last} />
          <PlaceNote place={meaning} />
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="copy" size={16} />}
            onClick={() => void copyText(coordinatesText(last))}
          >
            {t('call.copyCoordinates')}
          </Button>
        </>
      ) : (
        <p className={classes.none}>{t(`call.${WITHOUT[permission]}`, { name: client })}</p>
      )}
    </section>
  );
}
