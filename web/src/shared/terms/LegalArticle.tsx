import { ScrollArea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { safeHtml } from '@/shared/ui/safe-html';
import type { LegalText } from './api';
import classes from './LegalModal.module.css';

interface ReadingFrameProps {
  label: string;
  /** Leaves room for more around it: the answers below stay in sight on a phone. */
  low?: boolean;
  children: ReactNode;
}

/** A text to be read, in a frame that scrolls by mouse and keyboard. */
export function ReadingFrame({ label, low, children }: ReadingFrameProps) {
  return (
    <ScrollArea.Autosize
      mah={low ? 'clamp(180px, calc(100dvh - 540px), 420px)' : 'min(420px, 48dvh)'}
      mt={12}
      type="auto"
      className={classes.scroll}
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': label }}
    >
      {children}
    </ScrollArea.Autosize>
  );
}

/** A legal text: which version it is, and its words. */
export function LegalArticle({ text }: { text: LegalText }) {
  const t = useT();
  const language = useLanguage();
  return (
    <article className={classes.text} lang={text.language}>
      <p className={classes.version}>
        {t('companies.legalVersion', { version: text.version, date: longDate(text.inForceFrom, language) })}
        {text.language !== language && ` ${t('companies.legalOtherLanguage')}`}
      </p>
      {safeHtml(text.html)}
    </article>
  );
}
