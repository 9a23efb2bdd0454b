import { Skeleton } from '@mantine/core';
import { useT } from '@/shared/i18n';
import classes from './media.module.css';

/** The gallery's grid before its files are there. */
export function MediaSkeleton() {
  const t = useT();
  return (
    <div className={classes.root} role="status" aria-label={t('common.loading')}>
      <div className={classes.gallery}>
        <Skeleton height={20} width={140} />
        <Skeleton height={28} />
        <div className={classes.grid}>
          {[0, 1, 2, 3, 4, 5].map((cell) => (
            <Skeleton key={cell} className={classes.cell} />
          ))}
        </div>
      </div>
    </div>
  );
}
