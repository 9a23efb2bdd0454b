import { Skeleton } from '@mantine/core';
import { useT } from '@/shared/i18n';
import classes from './CallSkeleton.module.css';

/** The waiting page's grid before its data is there; shows itself only after 200 ms. */
export function CallSkeleton() {
  const t = useT();
  return (
    <div className={classes.root} role="status" aria-label={t('common.loading')}>
      <Skeleton height={32} width={280} />
      <Skeleton height={16} width={380} />
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={32} circle />
          <Skeleton height={14} width={220} />
        </div>
      ))}
    </div>
  );
}
