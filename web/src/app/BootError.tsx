import { LITERALS } from '@/shared/i18n/literals';
import { Brand } from '@/shared/ui/Brand';
import classes from './BootError.module.css';

/** What is shown when not even the texts could be loaded: literal texts only, no kit. */
export function BootError({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <main className={classes.root}>
      <Brand />
      <div role="alert" className={classes.card}>
        {text !== LITERALS.missing && <b>{LITERALS.error}</b>}
        <p>{text}</p>
      </div>
      <button type="button" className={classes.retry} onClick={onRetry}>
        {LITERALS.retry}
      </button>
    </main>
  );
}
