import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { buildCallLink, type CallLink } from '@/shared/lib/call-link';
import { Segmented } from '@/shared/ui/Segmented';
import classes from './ApiDoc.module.css';
import { CodeExample } from './CodeExample';

const SAMPLE: CallLink = { expedient: '2026-000123', phone: '+34600123123', contact: '', type: '1' };

/** An address for another system's button: it opens the form of a new call, filled in. Nothing is sent by it. */
export function CallLinkBuilder() {
  const t = useT();
  const [link, setLink] = useState(SAMPLE);
  const input = (name: keyof CallLink, label: string) => (
    <TextInput
      label={label}
      description={<code>{name}</code>}
      inputWrapperOrder={['label', 'input', 'description']}
      autoComplete="off"
      maxLength={100}
      value={link[name]}
      onChange={(event) => setLink({ ...link, [name]: event.currentTarget.value })}
    />
  );
  return (
    <section className={classes.section} aria-labelledby="call-link">
      <h2 id="call-link">{t('apikeys.callLink')}</h2>
      <p className={classes.text}>{t('apikeys.callLinkText')}</p>
      <div className={classes.card}>
        <div className={classes.inputs}>
          {input('expedient', t('videocall.expedient'))}
          {input('phone', t('videocall.phone'))}
          {input('contact', t('videocall.contact'))}
          <div>
            <Segmented
              label={t('videocall.type')}
              value={link.type as '1' | '2'}
              onChange={(type) => setLink({ ...link, type })}
              options={[
                { value: '1', label: t('videocall.type1'), icon: 'car' },
                { value: '2', label: t('videocall.type2'), icon: 'home' },
              ]}
            />
            <p className={classes.name}>
              <code>{'type' satisfies keyof CallLink}</code>
            </p>
          </div>
        </div>
        <CodeExample
          title={t('apikeys.callLinkResult')}
          code={buildCallLink(window.location.origin, link)}
          copy={t('apikeys.callLinkCopy')}
        />
      </div>
      <p className={classes.text}>{t('apikeys.callLinkPrivacy')}</p>
    </section>
  );
}
