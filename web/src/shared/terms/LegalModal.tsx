import { Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import type { Price } from '@/shared/lib/prices';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { PriceTable } from '@/shared/ui/PriceTable';
import { Segmented } from '@/shared/ui/Segmented';
import { Tag } from '@/shared/ui/Tag';
import { type LegalText, legalTexts, priceTable } from './api';
import { ConsentButtons } from './ConsentButtons';
import { kindOf } from './kinds';
import { LegalArticle, ReadingFrame } from './LegalArticle';
import classes from './LegalModal.module.css';

interface LegalModalProps {
  opened: boolean;
  /** Closed without deciding: the cross, Escape. */
  onClose: () => void;
  /** Accepted already: true, or when (RFC 3339). Decides between the buttons and the legend. */
  accepted?: boolean | string | null;
  /** With the id of the general conditions that were read. */
  onAccept?: (legalId: string) => void;
  onDecline?: () => void;
  /** Certain texts, such as those that were accepted; without them those in force. */
  legalIds?: readonly string[];
  /** The prices are part of what is accepted: `0` those that would hold for who asks, or a table's id. */
  priceId?: string;
}

/** The legal texts and prices, to be read, accepted or declined; both buttons weigh the same. */
export function LegalModal({ opened, onClose, accepted, onAccept, onDecline, legalIds, priceId }: LegalModalProps) {
  const t = useT();
  const language = useLanguage();
  const texts = useQuery({ ...legalTexts(language, legalIds), enabled: opened });
  const prices = useQuery({ ...priceTable(priceId), enabled: opened && priceId !== undefined });
  const general = texts.data?.find((text) => text.type === 1) ?? texts.data?.[0];
  const decides = !accepted && onAccept && onDecline;
  const failed = texts.error ?? prices.error;
  const ready = texts.data && (priceId === undefined || prices.data !== undefined);
  const retry = () => {
    if (texts.error) void texts.refetch();
    if (prices.error) void prices.refetch();
  };
  return (
    <Modal opened={opened} onClose={onClose} size={640} title={t('companies.legalTitle')}>
      {failed ? (
        <LoadFailed title={t('companies.legalLoadError')} error={failed} onRetry={retry} />
      ) : ready ? (
        <Texts texts={texts.data ?? []} prices={prices.data ?? null} />
      ) : (
        <Skeleton h={280} />
      )}
      {decides ? (
        <ConsentButtons
          decline={t('companies.legalDecline')}
          accept={t('companies.legalAccept')}
          onDecline={onDecline}
          onAccept={() => general && onAccept(general._id)}
          unread={!general || !ready}
        />
      ) : (
        <DialogButtons
          note={
            accepted && (
              <Tag tone="ok" icon="check">
                {acceptedLegend(t, accepted, language)}
              </Tag>
            )
          }
          go={t('common.close')}
          onGo={onClose}
          apart
        />
      )}
    </Modal>
  );
}

const PRICES = 'prices';

function Texts({ texts, prices }: { texts: LegalText[]; prices: Price | null }) {
  const t = useT();
  const [shown, setShown] = useState(texts[0]?._id ?? PRICES);
  const text = texts.find(({ _id }) => _id === shown) ?? (prices && shown === PRICES ? null : texts[0]);
  const tabs = texts.map(({ _id, type, title }) => ({ value: _id, label: kindOf(t, type) ?? title }));
  if (prices) tabs.push({ value: PRICES, label: t('legal.prices') });
  return (
    <>
      {tabs.length > 1 && (
        <Segmented label={t('companies.legalTitle')} value={text?._id ?? PRICES} onChange={setShown} options={tabs} />
      )}
      {text ? (
        <ReadingFrame key={text._id} label={text.title}>
          <LegalArticle text={text} />
        </ReadingFrame>
      ) : (
        prices && (
          <ReadingFrame key={PRICES} label={t('prices.priceTable')}>
            <div className={classes.prices}>
              <PriceTable prices={prices} />
            </div>
          </ReadingFrame>
        )
      )}
    </>
  );
}

/** "Condiciones aceptadas el 5 de noviembre de 2026", without the day when it is not known. */
export const acceptedLegend = (t: T, accepted: boolean | string, language: string) =>
  typeof accepted === 'string'
    ? t('companies.legalAcceptedAt', { date: longDate(accepted, language) })
    : t('companies.legalAccepted');
