import type { ReactNode } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { coordinatesText } from '@/shared/lib/coordinates';
import { dateAndTime, sizeText } from '@/shared/lib/format';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { PlaceNote } from '@/shared/ui/PlaceNote';
import { Tag } from '@/shared/ui/Tag';
import { useReadsOnly } from '../hooks/use-reads-only';
import { clockAheadMs, groupedHash, isFromClient, isHeic, lengthText, type ShownItem } from '../model';
import { itemTitle, originText, signatureText } from '../texts';
import classes from './Facts.module.css';
import { HashCheck } from './HashCheck';
import { MeasureFacts } from './MeasureFacts';
import { Review } from './Review';
import { TextFields } from './TextFields';

const SIGNATURE_TONES = { valid: 'ok', invalid: 'bad', unsigned: 'warn' } as const;

interface FactsProps {
  item: ShownItem;
  items: ShownItem[];
  /** Without its own column's frame: inside a drawer. */
  plain?: boolean;
  /** Below everything, always in sight: the certificate. */
  foot?: ReactNode;
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

/** Evidence at a glance: when, from where, how large, how taken, and its hash. */
export function Facts({ item, items, plain = false, foot }: FactsProps) {
  const t = useT();
  const language = useLanguage();
  const readsOnly = useReadsOnly();
  const signature = signatureText(t, item);
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
    <div className={classes.column} data-plain={plain || undefined}>
      <div className={classes.facts}>
        <div>
          {(item.isNewMedia || item.expired) && (
            <div className={classes.fresh}>
              {item.isNewMedia && <Tag tone="acc">{t('media.new')}</Tag>}
              {item.expired && (
                <Tag tone="quiet" icon="clock">
                  {t('media.expiredShort')}
                </Tag>
              )}
            </div>
          )}
          <h2>{itemTitle(t, item, items)}</h2>
          {itemTitle(t, item, items) !== name && <div className={`${classes.file} num`}>{name}</div>}
        </div>
        <dl className={classes.list}>
          <dt>{t('media.factCaptured')}</dt>
          <dd className="num">{dateAndTime(item.capturedAt, language)}</dd>
          <dt>{t('media.factArrived')}</dt>
          <dd className="num">{dateAndTime(item.createdAt, language)}</dd>
          <dt>{t('media.factOrigin')}</dt>
          <dd>{originText(t, item)}</dd>
          {item.deviceAt && (
            <>
              <dt>{t('media.factClock')}</dt>
              <dd className="num">
                {ahead === null ? t('media.clockRight') : t('media.clockAhead', { time: lengthText(ahead) })}
              </dd>
            </>
          )}
          {item.participant && (
            <>
              <dt>{t('media.factFrom')}</dt>
              <dd>
                {[isFromClient(item) ? t('media.fromClient') : t('media.fromStaff'), item.device]
                  .filter(Boolean)
                  .join(' · ')}
              </dd>
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
              ? coordinatesText({ latitude: Number(item.latitude), longitude: Number(item.longitude) })
              : t('media.placeNone')}
            {placed && item.accuracy !== null && <div className={classes.dim}>± {Math.round(item.accuracy)} m</div>}
            <PlaceNote place={item.place} />
          </dd>
          {item.claimedLatitude !== null && item.claimedLongitude !== null && (
            <>
              <dt>{t('media.factClaimed')}</dt>
              <dd className="num">
                {coordinatesText({ latitude: Number(item.claimedLatitude), longitude: Number(item.claimedLongitude) })}
                <div className={classes.dim}>{t('media.claimedNote')}</div>
                <PlaceNote place={item.claimedPlace} />
              </dd>
            </>
          )}
        </dl>
        {isHeic(item) && item.preview && <p className={classes.dim}>{t('media.heicPreview')}</p>}
        {item.itemId && !readsOnly && <Review key={`review ${item._id}`} item={item} />}
        {!readsOnly && item.type === 'PICTURE' && <MeasureFacts item={item} />}
        {!readsOnly && <TextFields item={item} items={items} />}
        {readsOnly && item.note && <p className={classes.dim}>{item.note}</p>}
        {(item.origin === 'call' || signature) && item.type === 'PICTURE' && (
          <section className={classes.section}>
            <h3>{t('media.checks')}</h3>
            <ul className={classes.checks}>
              {signature && <Check tone={SIGNATURE_TONES[item.deviceSignature ?? 'unsigned']}>{signature}</Check>}
              {item.method === 'takePhoto' && <Check tone="ok">{t('media.checkFull')}</Check>}
              {item.method === 'frame' && <Check tone="warn">{t('media.checkFrame')}</Check>}
              <Check tone={placed ? 'ok' : 'warn'}>{placed ? t('media.checkPlaced') : t('media.checkNotPlaced')}</Check>
              {ahead !== null ? (
                <Check tone="warn">{t('media.checkClockAhead', { time: lengthText(ahead) })}</Check>
              ) : (
                <Check tone="ok">{t('media.checkClock')}</Check>
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
      {foot && <div className={classes.foot}>{foot}</div>}
    </div>
  );
}
