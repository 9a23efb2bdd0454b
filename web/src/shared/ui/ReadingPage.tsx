import type { ReactNode } from 'react';
import { LanguageMenu } from '@/shared/language/LanguageMenu';
import { Brand } from './Brand';
import classes from './ReadingPage.module.css';
import { ThemeToggle } from './ThemeToggle';

/** The page around something to read: nobody has to have an account for it. */
export function ReadingPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <Brand />
        <span className={classes.tools}>
          <LanguageMenu />
          <ThemeToggle />
        </span>
      </header>
      <main className={classes.main}>
        <div>
          <h1 className={classes.title}>{title}</h1>
          <p className={classes.lead}>{lead}</p>
        </div>
        {children}
      </main>
    </div>
  );
}
