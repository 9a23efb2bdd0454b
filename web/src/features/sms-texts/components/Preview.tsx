import { useT } from '@/shared/i18n';
import { composed, sizeOf } from '../model';
import classes from '../pages/SmsConferencePage.module.css';

interface PreviewProps {
  text: string;
  fold: boolean;
  link: string;
  /** The name that is used; none is the platform's. */
  sender: string | null;
}

/** What the client's phone shows. */
export function Preview({ text, fold, link, sender }: PreviewProps) {
  const t = useT();
  const words = composed(text, '', fold).trim();
  const { segments, encoding, units } = sizeOf(text, link, fold);
  return (
    <aside className={classes.preview} aria-labelledby="sms-preview">
      <h2 id="sms-preview">{t('smstexts.preview')}</h2>
      <p className={classes.from}>{t('smstexts.previewFrom', { sender: sender ?? t('smstexts.previewPlatform') })}</p>
      <div className={classes.bubble} data-testid="sms-bubble">
        {words} <span className={classes.link}>{link}</span>
      </div>
      <p className={`${classes.from} num`}>{t('smstexts.size', { count: segments, encoding, units })}</p>
    </aside>
  );
}
