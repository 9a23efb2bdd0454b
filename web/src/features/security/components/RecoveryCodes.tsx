import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { shortDate } from '@/shared/lib/dates';
import { useRequiredSession } from '@/shared/session';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import classes from './security.module.css';

/** Lets the browser save a text as a file. */
function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The ten codes, this once: to copy, to download, to print. It ends only when the person says that they are kept. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const t = useT();
  const language = useLanguage();
  const { user } = useRequiredSession();
  const [saved, setSaved] = useState(false);
  const title = t('security.codesOf', { user: user.userName });
  const made = t('security.codesMade', { date: shortDate(new Date().toISOString(), language) });
  const text = `${title}\n${made}\n\n${codes.join('\n')}\n`;
  return (
    <div>
      <Note tone="warn" icon="key" title={t('security.codesOnce')} text={t('security.codesText')} />
      <div className={classes.sheet}>
        <h3>{title}</h3>
        <p>{made}</p>
        <ul className={classes.codes} aria-label={t('security.codes')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="copy" size={16} />}
          onClick={() => void copyText(codes.join('\n'))}
        >
          {t('common.copy')}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="dl" size={16} />}
          onClick={() => saveText(text, 'atalaya-codigos.txt')}
        >
          {t('common.download')}
        </Button>
        <Button variant="default" size="xs" leftSection={<Icon name="doc" size={16} />} onClick={() => window.print()}>
          {t('security.print')}
        </Button>
      </div>
      <Checkbox
        className={classes.saved}
        label={t('security.codesSaved')}
        checked={saved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <DialogButtons go={t('security.done')} onGo={onDone} disabled={!saved} apart />
    </div>
  );
}
