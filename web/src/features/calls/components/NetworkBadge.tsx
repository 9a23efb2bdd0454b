import { Button, Popover } from '@mantine/core';
import { barsOf, type Verdict } from '@/rtc';
import { useT } from '@/shared/i18n';
import { type Connection, connectionText } from '@/shared/lib/connection';
import { FactList } from '@/shared/ui/FactList';
import { networkAdvice, networkLabel } from '../network';
import classes from './CallHeader.module.css';

const BARS = [
  [1, 12, 5],
  [6, 8, 9],
  [11, 4.5, 12.5],
  [16, 1, 16],
] as const;

function Bars({ on, className }: { on: number; className?: string }) {
  return (
    <svg className={`${classes.bars} ${className}`} width="20" height="18" viewBox="0 0 20 18" aria-hidden="true">
      {BARS.map(([x, y, height], index) => (
        <rect
          key={x}
          x={x}
          y={y}
          width="3.5"
          height={height}
          rx="1"
          fill={index < on ? 'currentColor' : 'var(--at-field)'}
        />
      ))}
    </svg>
  );
}

/** How the media of each side come; null until it is known. */
export interface Connections {
  mine: Connection | null;
  theirs: Connection | null;
}

interface NetworkBadgeProps {
  verdict: Verdict | null;
  /** First name of the client, or the word for it. */
  client: string;
  /** The client's picture stands still, whatever the network says. */
  frozen: boolean;
  connection: Connections;
}

/** Whose network and how good; a press says what to do about it. */
export function NetworkBadge({ verdict, client, frozen, connection: { mine, theirs } }: NetworkBadgeProps) {
  const t = useT();
  // A dead picture next to "network: good" would be a lie.
  const stopped = frozen && (verdict === null || verdict.level === 'good');
  const label = stopped ? t('call.netFrozen') : networkLabel(t, verdict, client);
  const level = stopped ? 'poor' : (verdict?.level ?? null);
  return (
    <Popover position="bottom-end" withArrow={false} width={300}>
      <Popover.Target>
        <Button
          variant="subtle"
          className={classes.net}
          aria-label={`${t('call.netQuality')}: ${label}`}
          leftSection={<Bars on={level ? barsOf(level) : 0} className={classes[level ?? 'good']} />}
        >
          <span className={classes.netText}>{label}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.pop}>
        <b>{label}</b>
        <p>{stopped ? t('call.frozenText', { name: client }) : networkAdvice(t, verdict, client)}</p>
        <FactList
          plain
          facts={[
            [t('call.pathTheirs', { name: client }), theirs && connectionText(t, theirs)],
            [t('call.pathMine'), mine && connectionText(t, mine)],
          ]}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
