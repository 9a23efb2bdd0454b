import { Button } from '@mantine/core';
import { useLanguage, useT } from '@/shared/i18n';
import { countText } from '@/shared/lib/format';
import type { ServiceStatus } from '../api';
import { reasonOf } from '../model';
import classes from './ServiceState.module.css';

interface FailuresProps {
  failures: ServiceStatus['failures'];
  onMessages: () => void;
}

/** Why messages failed in the last 24 hours, most frequent first, and what to do about it. */
export function Failures({ failures, onMessages }: FailuresProps) {
  const t = useT();
  const language = useLanguage();
  const most = Math.max(1, ...failures.map(({ count }) => count));
  return (
    <section className={classes.panel} aria-labelledby="failures">
      <div className={classes.panelHead}>
        <h2 id="failures" className={classes.panelTitle}>
          {t('messageservice.failures')}
        </h2>
        {failures.length > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={onMessages}>
            {t('messageservice.seeFailed')}
          </Button>
        )}
      </div>
      {failures.length === 0 && <p className={classes.empty}>{t('messageservice.noFailures')}</p>}
      <ul>
        {failures.map(({ reason, count }) => (
          <li key={reason} className={classes.failure}>
            <div className={classes.words}>
              <b>{t(`messageservice.reason_${reasonOf(reason)}`)}</b>
              <p className={classes.quiet}>{t(`messageservice.todo_${reasonOf(reason)}`)}</p>
              <span className={classes.bar} style={{ width: `${Math.max(2, (count / most) * 100)}%` }} />
            </div>
            <b className="num">{countText(count, language)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
