import type { ReactNode } from 'react';
import classes from './PageTitle.module.css';

interface PageTitleProps {
  title: string;
  /** Beside the title: the state in a word. */
  state?: ReactNode;
  /** What the page is for, in a sentence. */
  lead?: ReactNode;
}

/** The words at the head of a page. */
export function PageTitle({ title, state, lead }: PageTitleProps) {
  const heading = <h1>{title}</h1>;
  return (
    <div>
      {state ? (
        <div className={classes.title}>
          {heading}
          {state}
        </div>
      ) : (
        heading
      )}
      {lead && <p className={classes.lead}>{lead}</p>}
    </div>
  );
}
