import { NativeSelect } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { PAGE_SIZES } from '@/shared/lib/list-state';
import { Icon } from '../Icon';
import { GoToPage, PageNumbers } from './PageNumbers';
import classes from './Pager.module.css';
import { pageCount } from './pages';

interface PagerProps {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
  onPageSize: (size: number) => void;
}

/** Range, rows per page, previous and next, page numbers with ellipses and a go-to-page input. */
export function Pager({ page, pageSize, total, onPage, onPageSize }: PagerProps) {
  const t = useT();
  const pages = pageCount(total, pageSize);
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const to = Math.min(total, page * pageSize);
  return (
    <div className={classes.root}>
      <span className={`${classes.range} num`}>{t('common.listRange', { from, to, total })}</span>
      {total > (PAGE_SIZES[0] ?? 0) && PAGE_SIZES.includes(pageSize) && (
        <div className={classes.size}>
          <label htmlFor="page-size">{t('common.rowsPerPage')}</label>
          <NativeSelect
            id="page-size"
            size="xs"
            classNames={{ input: 'num' }}
            rightSection={<Icon name="down" size={14} />}
            data={PAGE_SIZES.map(String)}
            value={String(pageSize)}
            onChange={(event) => onPageSize(Number(event.currentTarget.value))}
          />
        </div>
      )}
      {pages > 1 && (
        <>
          {pages > 5 && (
            <GoToPage
              key={page}
              id="goto-page"
              label={t('common.goTo')}
              pages={pages}
              onPage={onPage}
              className={classes.goto}
            />
          )}
          <PageNumbers page={page} pages={pages} onPage={onPage} />
        </>
      )}
    </div>
  );
}
