import { Modal } from '@mantine/core';
import type { Erasure } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { longDateTime } from '@/shared/lib/dates';
import { IconAction } from '@/shared/ui/IconAction';
import classes from './privacy.module.css';

/** What proves an erasure: who, when, why, how much, and the seals that anybody may compare. */
export function ProofModal({ erasure, onClose }: { erasure: Erasure | null; onClose: () => void }) {
  const t = useT();
  const language = useLanguage();
  return (
    <Modal opened={erasure !== null} onClose={onClose} size={640} title={t('privacy.proof')}>
      {erasure && (
        <dl className={classes.proof}>
          <dt>{t('privacy.at')}</dt>
          <dd className="num">{longDateTime(erasure.at, language)}</dd>
          <dt>{t('privacy.by')}</dt>
          <dd>{erasure.by}</dd>
          <dt>{t('privacy.reason')}</dt>
          <dd>{erasure.reason}</dd>
          <dt>{t('privacy.erased')}</dt>
          <dd className="num">
            {t('privacy.eventsCount', { count: erasure.events })} · {t('privacy.filesCount', { count: erasure.media })}
          </dd>
          <dt>{t('privacy.conference')}</dt>
          <Value text={erasure.conferenceId} name={t('privacy.conference')} />
          <dt>{t('privacy.head')}</dt>
          <Value text={erasure.head} name={t('privacy.head')} />
          <dt>{t('privacy.register')}</dt>
          <Value text={erasure.register} name={t('privacy.register')} />
        </dl>
      )}
    </Modal>
  );
}

function Value({ text, name }: { text: string; name: string }) {
  const t = useT();
  return (
    <dd className={classes.value}>
      <code>{text}</code>
      <IconAction icon="copy" size={28} label={`${t('common.copy')}: ${name}`} onClick={() => void copyText(text)} />
    </dd>
  );
}
