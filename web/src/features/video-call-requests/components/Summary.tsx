import { useT } from '@/shared/i18n';
import { queueOf, ringsSince, type VideoCallRequest } from '../model';
import { running } from '../words';
import classes from './Summary.module.css';

interface SummaryProps {
  queue: VideoCallRequest[];
  now: number;
  averageS: number | null;
}

/** The queue in a few numbers; amber only while somebody waits. */
export function Summary({ queue, now, averageS }: SummaryProps) {
  const t = useT();
  const { ringing, agreed } = queueOf(queue, now);
  const first = ringing[0];
  const figures: { value: string | number; label: string; waits?: boolean }[] = [
    {
      value: ringing.length,
      label: t('videocallrequests.waitingNow', { count: ringing.length }),
      waits: ringing.length > 0,
    },
  ];
  if (first) figures.push({ value: running(now - ringsSince(first)), label: t('videocallrequests.longest') });
  if (averageS !== null) figures.push({ value: running(averageS * 1_000), label: t('videocallrequests.average') });
  if (agreed.length > 0)
    figures.push({ value: agreed.length, label: t('videocallrequests.agreed', { count: agreed.length }) });
  return (
    <div className={classes.root}>
      {figures.map(({ value, label, waits }) => (
        <div key={label}>
          <b className="num" data-waits={waits || undefined}>
            {value}
          </b>
          <span>{label}</span>
        </div>
      ))}
    </div>
  );
}
