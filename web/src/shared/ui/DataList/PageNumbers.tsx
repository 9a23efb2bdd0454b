import { Input, TextInput } from '@mantine/core';
import clsx from 'clsx';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '../Icon';
import classes from './PageNumbers.module.css';
import { pageNumbers, typedPage } from './pages';

interface PageNumbersProps {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** Previous and next, and between them the first, the last and at most three numbers around the current one. */
export function PageNumbers({ page, pages, onPage }: PageNumbersProps) {
  const t = useT();
  return (
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
  );
}

interface GoToPageProps {
  id: string;
  label: string;
  placeholder?: string;
  pages: number;
  onPage: (page: number) => void;
  className?: string;
}

/** A page to go to, typed. `key` it by the page, so that it is empty again once one is there. */
export function GoToPage({ id, label, placeholder, pages, onPage, className }: GoToPageProps) {
  const t = useT();
  const [text, setText] = useState('');
  const errorId = `${id}-error`;
  const wrong = text !== '' && typedPage(text, pages) === null;
  return (
    <form
      className={clsx(classes.goto, className)}
      onSubmit={(event) => {
        event.preventDefault();
        const page = typedPage(text, pages);
        if (page !== null) onPage(page);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        size="xs"
        className={classes.number}
        classNames={{ input: 'num' }}
        inputMode="numeric"
        maxLength={9}
        autoComplete="off"
        placeholder={placeholder}
        error={wrong}
        attributes={{ input: { 'aria-describedby': wrong ? errorId : undefined } }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {wrong && (
        <Input.Error id={errorId} className={classes.wrong} role="alert">
          {t('common.goToRange', { pages })}
        </Input.Error>
      )}
    </form>
  );
}
