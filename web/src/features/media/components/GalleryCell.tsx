import { useState } from 'react';
import type { MediaItem } from '@/api/types';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { lengthText } from '../model';
import { itemTitle } from '../texts';
import classes from './media.module.css';

interface GalleryCellProps {
  item: MediaItem;
  items: MediaItem[];
  current: boolean;
  onOpen: () => void;
}

const ICONS: Record<MediaItem['type'], IconName> = { PICTURE: 'img', VIDEO: 'video', DOCUMENT: 'doc' };

/** One file of the grid: thumbnail or icon, its number or length, and a dot while it is new. */
export function GalleryCell({ item, items, current, onOpen }: GalleryCellProps) {
  const t = useT();
  const [broken, setBroken] = useState(false);
  const title = itemTitle(t, item, items);
  const number = items.filter((one) => one.type === item.type).findIndex((one) => one._id === item._id) + 1;
  const length = item.durationMs ? lengthText(item.durationMs) : null;
  const label = [title, length, item.isNewMedia ? t('media.new') : null].filter(Boolean).join(', ');
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
          <Icon name={ICONS[item.type]} size={28} />
          {item.type === 'DOCUMENT' && <span>{title}</span>}
        </span>
      )}
      {item.type === 'PICTURE' && <span className={`${classes.tag} num`}>{number}</span>}
      {item.type === 'VIDEO' && (
        <span className={`${classes.tag} num`}>
          <Icon name="play" size={14} />
          {length ?? title}
        </span>
      )}
      {item.isNewMedia && <span className={classes.fresh} />}
    </button>
  );
}
