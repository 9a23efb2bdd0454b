import { Button } from '@mantine/core';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './remittances.module.css';

interface FileDropProps {
  busy: boolean;
  onFile: (file: File) => void;
}

/** Where a bank file is dropped or chosen. */
export function FileDrop({ busy, onFile }: FileDropProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  // A file dropped beside the field would replace the page.
  useEffect(() => {
    const keep = (event: Event) => event.preventDefault();
    window.addEventListener('dragover', keep);
    window.addEventListener('drop', keep);
    return () => {
      window.removeEventListener('dragover', keep);
      window.removeEventListener('drop', keep);
    };
  }, []);

  const take = (file: File | undefined) => {
    if (file && !busy) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first.
    <div
      className={classes.drop}
      data-over={over || undefined}
      data-testid="bank-drop"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="ul" size={24} />
      <div className={classes.words}>
        <b>{t('sepa.dropTitle')}</b>
        <span className={classes.quiet}>{t('sepa.dropText')}</span>
      </div>
      <Button loading={busy} leftSection={<Icon name="doc" size={16} />} onClick={() => input.current?.click()}>
        {t('sepa.upload')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".xml,.zip,application/xml,text/xml,application/zip"
        data-testid="bank-file"
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
