import { Button, Modal, ScrollArea, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { safeHtml } from '@/shared/ui/safe-html';
import { Tag } from '@/shared/ui/Tag';
import { type LegalText, legalTexts } from './api';
import classes from './LegalModal.module.css';

interface LegalModalProps {
  opened: boolean;
  /** Closed without deciding: the cross, Escape. */
  onClose: () => void;
  /** Accepted already: true, or when (RFC 3339). Decides between the buttons and the legend (SPEC §4 Legal terms). */
  accepted?: boolean | string | null;
  /** With the id of the general conditions that were read. */
  onAccept?: (legalId: string) => void;
  onDecline?: () => void;
  /** An older text, such as the one that was accepted; without it those in force. */
  legalId?: string;
}

/** The legal texts, to be read, accepted or declined; both buttons weigh the same. Source: SPEC §2 Modals. */
export function LegalModal({ opened, onClose, accepted, onAccept, onDecline, legalId }: LegalModalProps) {
  const t = useT();
  const language = useLanguage();
  const { data, error, refetch } = useQuery({ ...legalTexts(language, legalId), enabled: opened });
  const general = data?.find((text) => text.type === 1) ?? data?.[0];
  const decides = !accepted && onAccept && onDecline;
  return (
    <Modal opened={opened} onClose={onClose} size={640} title={t('companies.legalTitle')}>
      {error ? (
        <StateView
          icon="warn"
          tone="bad"
          title={t('companies.legalLoadError')}
          text={errorText(t, error)}
          action={{ label: t('common.retry'), icon: 'refresh', run: () => void refetch() }}
        />
      ) : data ? (
        <Texts texts={data} language={language} />
      ) : (
        <Skeleton h={280} />
      )}
      <div className={classes.foot}>
        {accepted && (
          <Tag tone="ok" icon="check">
            {acceptedLegend(t, accepted, language)}
          </Tag>
        )}
        {decides ? (
          <>
            <Button variant="default" className={classes.choice} onClick={onDecline}>
              {t('companies.legalDecline')}
            </Button>
            <Button
              variant="default"
              className={classes.choice}
              disabled={!general}
              onClick={() => general && onAccept(general._id)}
            >
              {t('companies.legalAccept')}
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
        )}
      </div>
    </Modal>
  );
}

function Texts({ texts, language }: { texts: LegalText[]; language: string }) {
  const t = useT();
  const [shown, setShown] = useState(texts[0]?._id ?? '');
  const text = texts.find(({ _id }) => _id === shown) ?? texts[0];
  if (!text) return null;
  return (
    <>
      {texts.length > 1 && (
        <Segmented
          label={t('companies.legalTitle')}
          value={text._id}
          onChange={setShown}
          options={texts.map(({ _id, type, title }) => ({ value: _id, label: kindOf(t, type) ?? title }))}
        />
      )}
      <ScrollArea.Autosize
        key={text._id}
        mah="min(420px, 48dvh)"
        mt={12}
        type="auto"
        className={classes.scroll}
        viewportProps={{ tabIndex: 0, 'aria-label': text.title }}
      >
        <article className={classes.text} lang={text.language}>
          <p className={classes.version}>
            {t('companies.legalVersion', { version: text.version, date: longDate(text.inForceFrom, language) })}
            {text.language !== language && ` ${t('companies.legalOtherLanguage')}`}
          </p>
          {safeHtml(text.html)}
        </article>
      </ScrollArea.Autosize>
    </>
  );
}

const kindOf = (t: T, type: number) =>
  type === 1 ? t('companies.legalShort1') : type === 2 ? t('companies.legalShort2') : null;

function longDate(date: string | null | undefined, language: string): string {
  const found = date ? new Date(date) : null;
  if (!found || Number.isNaN(found.getTime())) return '–';
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeZone: 'Europe/Madrid',
  }).format(found);
}

/** "Condiciones aceptadas el 5 de noviembre de 2026", without the day when it is not known. */
export const acceptedLegend = (t: T, accepted: boolean | string, language: string) =>
  typeof accepted === 'string'
    ? t('companies.legalAcceptedAt', { date: longDate(accepted, language) })
    : t('companies.legalAccepted');
