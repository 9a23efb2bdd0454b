import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { PAGE_SIZES } from '@/shared/lib/list-state';
import { Icon } from '../Icon';
import classes from './Pager.module.css';
import { pageCount, pageNumbers, typedPage } from './pages';

interface PagerProps {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
  onPageSize: (size: number) => void;
}

/** Range, rows per page, previous and next, page numbers with ellipses and a go-to-page input. Source: SPEC §5 Other, §9. */
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
          {pages > 5 && <GoTo key={page} pages={pages} onPage={onPage} />}
          <nav className={`${classes.pages} num`} aria-label={t('common.pages')}>
            <button
              type="button"
              aria-label={t('common.previous')}
              disabled={page <= 1}
              onClick={() => onPage(page - 1)}
            >
              <Icon name="left" size={16} />
            </button>
            {pageNumbers(page, pages).map((number, index, all) =>
              number === null ? (
                <span key={`after-${all[index - 1]}`} aria-hidden="true">
                  …
                </span>
              ) : (
                <button
                  type="button"
                  key={number}
                  aria-label={`${t('common.page')} ${number}`}
                  aria-current={number === page ? 'page' : undefined}
                  onClick={() => onPage(number)}
                >
                  {number}
                </button>
              ),
            )}
            <button
              type="button"
              aria-label={t('common.next')}
              disabled={page >= pages}
              onClick={() => onPage(page + 1)}
            >
              <Icon name="right" size={16} />
            </button>
          </nav>
        </>
      )}
    </div>
  );
}

function GoTo({ pages, onPage }: { pages: number; onPage: (page: number) => void }) {
  const t = useT();
  const [text, setText] = useState('');
  const wrong = text !== '' && typedPage(text, pages) === null;
  return (
    <form
      className={classes.goto}
      onSubmit={(event) => {
        event.preventDefault();
        const page = typedPage(text, pages);
        if (page !== null) onPage(page);
      }}
    >
      <label htmlFor="goto-page">{t('common.goTo')}</label>
      <TextInput
        id="goto-page"
        size="xs"
        className={classes.number}
        classNames={{ input: 'num' }}
        inputMode="numeric"
        maxLength={9}
        autoComplete="off"
        error={wrong}
        title={wrong ? t('common.goToRange', { pages }) : undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
