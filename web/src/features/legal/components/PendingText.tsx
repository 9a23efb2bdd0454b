import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { legalTexts, priceTable } from '@/shared/terms/api';
import { kindName } from '@/shared/terms/kinds';
import { LegalArticle, ReadingFrame } from '@/shared/terms/LegalArticle';
import classes from '@/shared/terms/LegalModal.module.css';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { PriceTable } from '@/shared/ui/PriceTable';
import type { Pending, PendingText as PendingOne } from '../api';
import { TextDiff } from './TextDiff';

/** One new text: first what changed since the version that was accepted, then the whole of it. */
export function PendingText({ text }: { text: PendingOne }) {
  const t = useT();
  const language = useLanguage();
  const [whole, setWhole] = useState(!text.previousId);
  const full = useQuery({ ...legalTexts(language, [text.legalId]), enabled: whole });
  const found = full.data?.find(({ _id }) => _id === text.legalId) ?? full.data?.[0];
  return (
    <>
      <div className={classes.about}>
        <b>
          {kindName(t, text.type)} · {t('legal.versionN', { version: text.version })}
        </b>
        {text.previousId && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<Icon name={whole ? 'list' : 'doc'} size={16} />}
            onClick={() => setWhole((before) => !before)}
          >
            {whole ? t('legal.showChanges') : t('legal.showWhole')}
          </Button>
        )}
      </div>
      {!whole && text.previousId ? (
        <ReadingFrame low label={t('legal.changes')}>
          <TextDiff from={text.previousId} to={text.legalId} />
        </ReadingFrame>
      ) : full.error ? (
        <LoadFailed title={t('companies.legalLoadError')} error={full.error} onRetry={() => void full.refetch()} />
      ) : found ? (
        <ReadingFrame low label={text.title}>
          <LegalArticle text={found} />
        </ReadingFrame>
      ) : (
        <Skeleton h={240} mt={12} />
      )}
    </>
  );
}

/** New prices beside those that were accepted. */
export function PendingPrices({ price }: { price: NonNullable<Pending['price']> }) {
  const t = useT();
  const language = useLanguage();
  const before = useQuery({ ...priceTable(price.previousId ?? ''), enabled: Boolean(price.previousId) });
  // The old ones only help to compare: without them the new ones are shown plainly.
  if (price.previousId && before.isPending) return <Skeleton h={240} mt={12} />;
  return (
    <>
      <div className={classes.about}>
        <b>
          {t('prices.priceTable')} · {t('legal.priceFrom', { date: longDate(price.validFrom, language) })}
        </b>
      </div>
      <ReadingFrame low label={t('prices.priceTable')}>
        <div className={classes.prices}>
          <PriceTable prices={price} before={before.data} />
        </div>
      </ReadingFrame>
    </>
  );
}
