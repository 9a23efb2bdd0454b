import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { pageNumbers, typedPage } from '@/shared/ui/DataList/pages';
import { Icon } from '@/shared/ui/Icon';
import classes from './PanelPager.module.css';

interface PanelPagerProps {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** Previous and next, at most three numbers with the first and the last, and a page to go to. Source: SPEC §2, §9. */
export function PanelPager({ page, pages, onPage }: PanelPagerProps) {
  const t = useT();
  if (pages < 2) return null;
  return (
    <div className={classes.root}>
      <nav className={`${classes.pages} num`} aria-label={t('common.pages')}>
        <button type="button" aria-label={t('common.previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
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
        <button type="button" aria-label={t('common.next')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
          <Icon name="right" size={16} />
        </button>
      </nav>
      <GoTo key={page} pages={pages} onPage={onPage} />
    </div>
  );
}

function GoTo({ pages, onPage }: Omit<PanelPagerProps, 'page'>) {
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
      <label htmlFor="notices-goto">{t('notifications.goto')}</label>
      <TextInput
        id="notices-goto"
        size="xs"
        className={classes.number}
        classNames={{ input: 'num' }}
        inputMode="numeric"
        maxLength={9}
        autoComplete="off"
        placeholder={`1 – ${pages}`}
        error={wrong}
        title={wrong ? t('common.goToRange', { pages }) : undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
