import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MediaItem } from '@/api/types';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import { coordinatesText } from '../coordinates';
import { dateAndTime, sizeText } from '../format';
import { canCheckHash, MAX_CHECKED, matchesHash } from '../hash';
import { clockAheadMs, groupedHash, lengthText } from '../model';
import { itemTitle, originText } from '../texts';
import classes from './Facts.module.css';

interface FactsProps {
  item: MediaItem;
  items: MediaItem[];
  /** Without its own column's frame: inside a drawer. */
  plain?: boolean;
}

function Check({ tone, children }: { tone: 'ok' | 'warn' | 'bad'; children: ReactNode }) {
  const icon: IconName = tone === 'ok' ? 'check' : tone === 'warn' ? 'warn' : 'x';
  return (
    <li>
      <Icon name={icon} size={16} className={classes[tone]} />
      <span>{children}</span>
    </li>
  );
}

function HashCheck({ item }: { item: MediaItem }) {
  const t = useT();
  const check = useMutation({ mutationFn: () => matchesHash(item.url, item.hash) });
  return (
    <>
      {check.data === true && <p className={classes.ok}>{t('media.hashMatches')}</p>}
      {check.data === false && (
        <p className={classes.bad} role="alert">
          {t('media.hashDiffers')}
        </p>
      )}
      {check.isError && (
        <p className={classes.bad} role="alert">
          {errorText(t, check.error)}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="copy" size={16} />}
          onClick={() => void copyText(item.hash)}
        >
          {t('common.copy')}
        </Button>
        {canCheckHash() && item.size <= MAX_CHECKED && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="seal" size={16} />}
            loading={check.isPending}
            onClick={() => check.mutate()}
          >
            {t('media.hashCheck')}
          </Button>
        )}
      </div>
    </>
  );
}

/** Evidence at a glance: when, from where, how large, how taken, and its hash. */
export function Facts({ item, items, plain = false }: FactsProps) {
  const t = useT();
  const language = useLanguage();
  const ahead = clockAheadMs(item);
  // Coordinates travel as text with six decimals.
  const placed = item.latitude !== null && item.longitude !== null;
  const size = [
    item.width && item.height ? `${item.width} × ${item.height}` : null,
    item.durationMs ? lengthText(item.durationMs) : null,
    sizeText(item.size, language),
  ].filter(Boolean);
  const name = item.originalFileName || item.filename;
  return (
    <div className={classes.facts} data-plain={plain || undefined}>
      <div>
        {item.isNewMedia && (
          <div className={classes.fresh}>
            <Tag tone="acc">{t('media.new')}</Tag>
          </div>
        )}
        <h2>{itemTitle(t, item, items)}</h2>
        {item.type !== 'DOCUMENT' && <div className={`${classes.file} num`}>{name}</div>}
      </div>
      <dl className={classes.list}>
        <dt>{t('media.factCaptured')}</dt>
        <dd className="num">{dateAndTime(item.capturedAt ?? item.createdAt, language)}</dd>
        <dt>{t('media.factArrived')}</dt>
        <dd className="num">{dateAndTime(item.createdAt, language)}</dd>
        <dt>{t('media.factOrigin')}</dt>
        <dd>{originText(t, item)}</dd>
        {item.participant && (
          <>
            <dt>{t('media.factFrom')}</dt>
            <dd>{item.participant.startsWith('client:') ? t('media.fromClient') : t('media.fromStaff')}</dd>
          </>
        )}
        <dt>{t('media.factSize')}</dt>
        <dd className="num">{size.join(' · ')}</dd>
        {item.lens && (
          <>
            <dt>{t('media.factLens')}</dt>
            <dd>{item.lens === 'environment' || item.lens === 'user' ? t(`media.lens_${item.lens}`) : item.lens}</dd>
          </>
        )}
        <dt>{t('media.factPlace')}</dt>
        <dd className="num">
          {placed
            ? coordinatesText({ latitude: Number(item.latitude), longitude: Number(item.longitude) }, language)
            : t('media.placeNone')}
          {placed && item.accuracy !== null && <div className={classes.dim}>± {Math.round(item.accuracy)} m</div>}
        </dd>
      </dl>
      {item.origin === 'call' && item.type === 'PICTURE' && (
        <section className={classes.section}>
          <h3>{t('media.checks')}</h3>
          <ul className={classes.checks}>
            {item.method === 'takePhoto' && <Check tone="ok">{t('media.checkFull')}</Check>}
            {item.method === 'frame' && <Check tone="warn">{t('media.checkFrame')}</Check>}
            <Check tone={placed ? 'ok' : 'warn'}>{placed ? t('media.checkPlaced') : t('media.checkNotPlaced')}</Check>
            {ahead !== null ? (
              <Check tone="warn">{t('media.checkClockAhead', { time: lengthText(ahead) })}</Check>
            ) : (
              item.capturedAt && <Check tone="ok">{t('media.checkClock')}</Check>
            )}
          </ul>
        </section>
      )}
      <section className={classes.section}>
        <h3>{t('media.hash')}</h3>
        <div className={classes.hash}>{groupedHash(item.hash)}</div>
        <HashCheck key={item._id} item={item} />
      </section>
    </div>
  );
}
