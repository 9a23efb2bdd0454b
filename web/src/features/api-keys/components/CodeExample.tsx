import { copyText } from '@/shared/lib/clipboard';
import { IconAction } from '@/shared/ui/IconAction';
import classes from './ApiDoc.module.css';

interface CodeExampleProps {
  title: string;
  text?: string;
  code: string;
  /** Name of the copy button. */
  copy: string;
}

/** Something to be copied into one's own program. */
export function CodeExample({ title, text, code, copy }: CodeExampleProps) {
  return (
    <>
      <div className={classes.exampleHead}>
        <h3>{title}</h3>
        <IconAction icon="copy" size={28} label={copy} onClick={() => void copyText(code)} />
      </div>
      {text && <p className={classes.text}>{text}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide text is scrolled by keyboard too */}
      <pre className={classes.example} tabIndex={0}>
        {code}
      </pre>
    </>
  );
}
