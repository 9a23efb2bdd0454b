import type { ReactNode, RefObject } from 'react';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import classes from './Versioned.module.css';

interface HeadProps {
  title: ReactNode;
  lead: ReactNode;
  /** What can be done with it, at the other side. */
  action?: ReactNode;
}

interface WithChildren {
  children: ReactNode;
}

function Words({ title, lead }: HeadProps) {
  return (
    <div className={classes.words}>
      {title}
      <p className={classes.lead}>{lead}</p>
    </div>
  );
}

function Head({ action, ...words }: HeadProps) {
  return (
    <div className={classes.head}>
      <Words {...words} />
      {action}
    </div>
  );
}

/** A page of something that is published in versions: legal texts, prices. */
export function VersionedPage({ children, title, ...head }: HeadProps & WithChildren) {
  return (
    <section className={classes.root}>
      <Head {...head} title={<h1>{title}</h1>} />
      {children}
    </section>
  );
}

/** One of its versions. */
export function VersionDetails({ children, title, ...head }: HeadProps & WithChildren) {
  return (
    <div className={classes.detail}>
      <Head {...head} title={<h2>{title}</h2>} />
      {children}
    </div>
  );
}

interface VersionEditorProps extends WithChildren {
  title: ReactNode;
  lead: ReactNode;
  formRef: RefObject<HTMLFormElement | null>;
  publish: string;
  publishing: boolean;
  disabled: boolean;
  onPublish: () => void;
  onCancel: () => void;
}

/** A new version: the whole page is its form, what ends it stays in sight. */
export function VersionEditor({ children, formRef, title, lead, onPublish, onCancel, ...bar }: VersionEditorProps) {
  return (
    <form
      ref={formRef}
      className={classes.root}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onPublish();
      }}
    >
      <Words title={<h1>{title}</h1>} lead={lead} />
      {children}
      <div className={classes.bar}>
        <DialogButtons onCancel={onCancel} go={bar.publish} busy={bar.publishing} disabled={bar.disabled} size="md" />
      </div>
    </form>
  );
}
