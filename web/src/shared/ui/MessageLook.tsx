import { useCallback, useState } from 'react';
import { useT } from '@/shared/i18n';
import { fillFrame } from '@/shared/lib/trusted';
import classes from './MessageLook.module.css';
import { Segmented } from './Segmented';

interface MessageLookProps {
  text: string;
  /** As a mail program shows it; without it there is only the text. */
  html: string | null;
  language?: string;
}

/** A message as it will be seen, and its plain text. */
export function MessageLook({ text, html, language }: MessageLookProps) {
  const t = useT();
  const [look, setLook] = useState<'html' | 'text'>('html');
  const fill = useCallback(
    (frame: HTMLIFrameElement | null) => {
      if (frame && html) fillFrame(frame, html);
    },
    [html],
  );
  const plain = (
    <div className={classes.paper} lang={language}>
      {text}
    </div>
  );
  if (!html) return plain;
  return (
    <>
      <div>
        <Segmented
          label={t('messageservice.look')}
          value={look}
          onChange={setLook}
          options={[
            { value: 'html', label: t('messageservice.lookHtml') },
            { value: 'text', label: t('messageservice.lookText') },
          ]}
        />
      </div>
      {/* Without scripts and without a way out of the frame. */}
      {look === 'html' ? (
        <iframe ref={fill} className={classes.frame} sandbox="" title={t('messageservice.lookHtml')} />
      ) : (
        plain
      )}
    </>
  );
}
