import type { ReactNode } from 'react';
import classes from './expedient.module.css';

interface SectionProps {
  title: string;
  count?: number;
  children: ReactNode;
}

/** One part of a case under its title, with how many things it holds. */
export function Section({ title, count, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2>
        {title}
        {count !== undefined && <span className={`${classes.count} num`}>{count}</span>}
      </h2>
      {children}
    </section>
  );
}
