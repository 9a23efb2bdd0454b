import { Button, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { Note } from './Note';
import classes from './Section.module.css';

interface SectionProps {
  id: string;
  title: string;
  /** Next to the title: the state in a word. */
  state?: ReactNode;
  text: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

/** One subject of the page, under a hairline. */
export function Section({ id, title, state, text, action, children }: SectionProps) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <div className={classes.words}>
          <div className={classes.title}>
            <h2 id={id}>{title}</h2>
            {state}
          </div>
          <p className={classes.text}>{text}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

interface RowsProps<Row> {
  query: UseQueryResult<Row[]>;
  error: string;
  empty: string;
  /** Rows of the skeleton. */
  waiting: number;
  children: (row: Row) => ReactNode;
}

/** The rows of a section, or why there are none. */
export function Rows<Row>({ query, error, empty, waiting, children }: RowsProps<Row>) {
  const t = useT();
  const { data } = query;
  if (query.error && !data) {
    const retry = (
      <Button variant="default" size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t('common.retry')}
      </Button>
    );
    return <Note tone="bad" icon="warn" title={error} text={errorText(t, query.error)} action={retry} />;
  }
  if (!data) {
    return (
      <div className={classes.list} aria-hidden="true">
        {Array.from({ length: waiting }, (_, row) => (
          <div key={row} className={classes.row}>
            <Skeleton h={20} w={20} circle />
            <div className={classes.rowWords}>
              <Skeleton h={12} w="42%" mt={4} />
              <Skeleton h={10} w="64%" mt={10} mb={4} />
            </div>
          </div>
        ))}
      </div>
    );
  }
  if (data.length === 0) return <p className={classes.empty}>{empty}</p>;
  return <ul className={classes.list}>{data.map(children)}</ul>;
}

interface RowProps {
  icon: ReactNode;
  title: ReactNode;
  /** Second line. */
  facts: string;
  action?: ReactNode;
}

export function Row({ icon, title, facts, action }: RowProps) {
  return (
    <li className={classes.row}>
      {icon}
      <div className={classes.rowWords}>
        <div className={classes.rowTitle}>{title}</div>
        <div className={`${classes.facts} num`}>{facts}</div>
      </div>
      {action}
    </li>
  );
}
