import clsx from 'clsx';
import type { ReactNode } from 'react';
import classes from './FactList.module.css';

/** A name and what is said under it. */
export type FactEntry = readonly [name: string, value: ReactNode];

interface FactListProps {
  /** Those without a value are left out. */
  facts: readonly FactEntry[];
  /** Where they stand: beside each other, below each other. */
  className?: string;
  /** Words, not figures. */
  plain?: boolean;
}

/** What is known of something, by name. */
export function FactList({ facts, className, plain }: FactListProps) {
  return (
    <dl className={clsx(classes.list, className)}>
      {facts.map(([name, value], place) =>
        value ? (
          // Two facts may have the same name.
          <Fact key={`${name} ${place}`} name={name} figures={!plain}>
            {value}
          </Fact>
        ) : null,
      )}
    </dl>
  );
}

interface FactProps {
  name: string;
  figures?: boolean;
  children: ReactNode;
}

/** One line of such a list, for those that are put together by hand. */
export function Fact({ name, figures = false, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={figures ? 'num' : undefined}>{children}</dd>
    </div>
  );
}
