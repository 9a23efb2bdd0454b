import type { ReactNode } from 'react';
import { LanguageMenu } from '@/features/language/LanguageMenu';
import { Brand } from '@/shared/ui/Brand';
import { ThemeToggle } from '@/shared/ui/ThemeToggle';
import classes from './verify.module.css';

/** The page around a verification: nobody has to have an account to read it. */
export function Frame({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
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
