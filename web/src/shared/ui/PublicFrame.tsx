import clsx from 'clsx';
import type { ReactNode } from 'react';
import { LanguageMenu } from '@/shared/language/LanguageMenu';
import { Brand } from './Brand';
import classes from './PublicFrame.module.css';
import { ThemeToggle } from './ThemeToggle';
import { Tower } from './Tower';

interface PublicFrameProps {
  title: string;
  subtitle?: ReactNode;
  /** 360 px with the tower beside it, or 660 px for a form of several parts. */
  width?: 'narrow' | 'wide';
  children: ReactNode;
}

/** A page outside the shell: brand, language, theme, one thing to do. */
export function PublicFrame({ title, subtitle, width = 'narrow', children }: PublicFrameProps) {
  return (
    <div className={clsx(classes.root, classes[width])}>
      {width === 'narrow' && (
        <aside className={classes.aside}>
          <Tower className={classes.sea} />
        </aside>
      )}
      <div className={classes.page}>
        <header className={classes.bar}>
          <Brand />
          <span className={classes.tools}>
            <LanguageMenu />
            <ThemeToggle />
          </span>
        </header>
        <main className={classes.main}>
          <div className={classes.head}>
            <h1 className={classes.title}>{title}</h1>
            {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
          </div>
          {children}
        </main>
      </div>
    </div>
  );
}

/** One part of a long form, under a hairline. */
export function FormPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
