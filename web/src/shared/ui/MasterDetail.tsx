import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from './Icon';
import classes from './MasterDetail.module.css';

export interface MasterItem {
  key: string;
  title: ReactNode;
  /** Beside the title: the state in a word. */
  tag?: ReactNode;
  /** Second line. */
  facts: ReactNode;
}

interface MasterDetailProps {
  /** Of the list, for a screen reader. */
  label: string;
  items: MasterItem[];
  chosen: string | null;
  onChoose: (key: string | null) => void;
  /** Of the chosen one. */
  children: ReactNode;
}

/** A list of few things and the chosen one beside it; on a phone it opens in its place. */
export function MasterDetail({ label, items, chosen, onChoose, children }: MasterDetailProps) {
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  return (
    <div className={classes.root}>
      <ul className={classes.list} aria-label={label}>
        {items.map(({ key, title, tag, facts }) => {
          const open = key === chosen;
          return (
            <li key={key}>
              <button
                type="button"
                className={classes.item}
                aria-current={!narrow && open ? 'true' : undefined}
                aria-expanded={narrow ? open : undefined}
                onClick={() => onChoose(narrow && open ? null : key)}
              >
                <span className={classes.words}>
                  <span className={classes.title}>
                    {title}
                    {tag}
                  </span>
                  <span className={`${classes.facts} num`}>{facts}</span>
                </span>
                <Icon name={narrow ? 'down' : 'right'} size={16} />
              </button>
              {narrow && open && <div className={classes.inside}>{children}</div>}
            </li>
          );
        })}
      </ul>
      {!narrow && chosen !== null && <div className={classes.detail}>{children}</div>}
    </div>
  );
}
