import { useLanguage, useT } from '@/shared/i18n';
import { count } from '@/shared/lib/money';
import { monthText } from '@/shared/lib/months';
import { type Job, jobText } from '../model';
import classes from './processes.module.css';

/** What is under way and how far it is. It goes on when the page is left. */
export function JobBar({ job }: { job: Job & { period: string } }) {
  const t = useT();
  const language = useLanguage();
  const what = `${jobText(t, job.kind)} · ${monthText(job.period, language)}`;
  const percent = job.of > 0 ? Math.min(100, Math.round((job.done * 100) / job.of)) : 0;
  return (
    <section className={classes.job} aria-label={what} aria-busy="true">
      <div className={classes.jobLine}>
        <b>{what}</b>
        <span className="num">
          {t('invoiceprocesses.jobDone', { done: count(job.done, language), of: count(job.of, language) })}
        </span>
      </div>
      <div
        className={classes.track}
        role="progressbar"
        aria-label={what}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={classes.fill} style={{ width: `${percent}%` }} />
      </div>
      <p className={classes.jobHint}>{t('invoiceprocesses.jobHint')}</p>
    </section>
  );
}
