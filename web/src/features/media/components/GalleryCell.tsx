import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { awaitsReview, lengthText, type ShownItem } from '../model';
import { itemTitle, signatureText } from '../texts';
import classes from './media.module.css';

interface GalleryCellProps {
  item: ShownItem;
  items: ShownItem[];
  current: boolean;
  onOpen: () => void;
}

const ICONS: Record<ShownItem['type'], IconName> = { PICTURE: 'img', VIDEO: 'video', DOCUMENT: 'doc' };

/** One file of the grid: thumbnail or icon, its number or length, and a dot while it is new. */
export function GalleryCell({ item, items, current, onOpen }: GalleryCellProps) {
  const t = useT();
  const [broken, setBroken] = useState(false);
  const title = itemTitle(t, item, items);
  const number = items.filter((one) => one.type === item.type).findIndex((one) => one._id === item._id) + 1;
  const length = item.durationMs ? lengthText(item.durationMs) : null;
  // Unsigned ones are told among the facts: a mark on each would be noise.
  const signature = item.deviceSignature === 'unsigned' ? null : signatureText(t, item);
  const marks = [
    item.isNewMedia && t('media.new'),
    item.expired && t('media.expiredShort'),
    awaitsReview(item) && t('media.reviewPending'),
    item.review === 'approved' && t('media.reviewApproved'),
    item.review === 'rejected' && t('media.reviewRejected'),
    signature,
  ];
  // The number is in sight: whoever speaks to the screen says it.
  const plain = t('media.pictureN', { n: number });
  const called = item.type === 'PICTURE' && title !== plain ? `${plain}: ${title}` : title;
  const label = [called, length, ...marks].filter(Boolean).join(', ');
  return (
    <button
      type="button"
      className={classes.cell}
      aria-label={label}
      aria-current={current || undefined}
      onClick={onOpen}
    >
      {item.thumbnail && !broken ? (
        <img src={item.thumbnail} alt="" loading="lazy" onError={() => setBroken(true)} />
      ) : (
        <span className={classes.docName}>
          <Icon name={item.expired ? 'clock' : ICONS[item.type]} size={28} />
          {item.expired && <span>{t('media.expiredShort')}</span>}
          {item.type === 'DOCUMENT' && !item.expired && <span>{title}</span>}
        </span>
      )}
      {item.type === 'PICTURE' && <span className={`${classes.tag} num`}>{number}</span>}
      {item.type === 'VIDEO' && (
        <span className={`${classes.tag} num`}>
          <Icon name="play" size={14} />
          {length ?? title}
        </span>
      )}
      {signature && (
        <span className={classes.signed} data-tone={item.deviceSignature} title={signature}>
          <Icon name={item.deviceSignature === 'valid' ? 'lock' : 'warn'} size={14} />
        </span>
      )}
      {item.review && (
        <span className={classes.verdict} data-tone={item.review}>
          <Icon name={item.review === 'approved' ? 'check' : 'x'} size={14} />
        </span>
      )}
      {awaitsReview(item) && (
        <span className={classes.verdict} data-tone="waits">
          <Icon name="clock" size={14} />
        </span>
      )}
      {item.isNewMedia && <span className={classes.fresh} />}
    </button>
  );
}
