import { Button } from '@mantine/core';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { sizeText } from '@/shared/lib/format';
import { Icon } from '@/shared/ui/Icon';
import { type Brought, matches, type VerifiedCertificate } from '../model';
import { ArchiveResult } from './ArchiveResult';
import { typeText } from './CertificateFacts';
import { Digest } from './Digest';
import classes from './verify.module.css';

interface FileCheckProps {
  certificate: VerifiedCertificate;
  files: Brought[];
  onBring: (files: readonly File[]) => void;
}

/** Where a visitor brings files, and what this page says of each. */
export function FileCheck({ certificate, files, onBring }: FileCheckProps) {
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

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onBring([...event.dataTransfer.files]);
  };
  return (
    <section className={classes.panel} aria-label={t('verify.check')}>
      <h2 className={classes.panelTitle}>{t('verify.check')}</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is the first. */}
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="hash" size={28} />
        <p>{t('verify.drop')}</p>
        <Button size="md" leftSection={<Icon name="doc" />} onClick={() => input.current?.click()}>
          {t('verify.choose')}
        </Button>
        <small>{t('verify.local')}</small>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          data-testid="verify-file"
          onChange={(event) => {
            onBring([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      <ul className={classes.results} aria-live="polite">
        {files.map((file) => (
          <Result key={file.id} file={file} certificate={certificate} />
        ))}
      </ul>
    </section>
  );
}

function Result({ file, certificate }: { file: Brought; certificate: VerifiedCertificate }) {
  const t = useT();
  const language = useLanguage();
  const size = sizeText(file.size, language);
  if (file.failed) {
    return (
      <li className={classes.result} data-tone="bad">
        <Icon name="warn" />
        <div>
          <b>{file.name}</b>
          <span>{t('verify.unreadable')}</span>
        </div>
      </li>
    );
  }
  if (!file.sha256) {
    const percent = file.size > 0 ? Math.floor((file.read / file.size) * 100) : 0;
    return (
      <li className={classes.result}>
        <Icon name="clock" />
        <div>
          <b>{file.name}</b>
          <span className="num">
            {t('verify.reading', { percent })} · {size}
          </span>
          <progress className={classes.progress} max={100} value={percent} aria-label={file.name} />
        </div>
      </li>
    );
  }
  if (file.archive) return <ArchiveResult file={file} archive={file.archive} certificate={certificate} />;
  const found = matches(certificate.media, file.sha256);
  const [first] = found;
  return (
    <li className={classes.result} data-tone={first ? 'ok' : 'bad'}>
      <Icon name={first ? 'check' : 'x'} />
      <div>
        <b>{first ? t('verify.belongs', { n: found.map((item) => item.n).join(', ') }) : t('verify.foreign')}</b>
        <span className="num">
          {file.name} · {size}
        </span>
        {first ? (
          <span className="num">
            {typeText(t, first.type)} · {shortDateTime(first.capturedAt, language)}
          </span>
        ) : (
          <span>{t('verify.foreignText')}</span>
        )}
        {first && certificate.state === 'void' && <span>{t('verify.belongsVoid')}</span>}
        <Digest hex={file.sha256} />
      </div>
    </li>
  );
}
