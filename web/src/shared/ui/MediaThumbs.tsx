import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MediaItem } from '@/api/types';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from './Icon';
import classes from './MediaThumbs.module.css';

const ICONS: Record<MediaItem['type'], IconName> = { PICTURE: 'img', VIDEO: 'video', DOCUMENT: 'doc' };

interface MediaThumbsProps {
  media: readonly MediaItem[];
  /** Address of the media view of a conference. */
  view: (conferenceId: string) => string;
}

/** Files as small pictures; each leads to the media view of its conference, opened at that file. */
export function MediaThumbs({ media, view }: MediaThumbsProps) {
  return (
    <ul className={classes.grid}>
      {media.map((item) => (
        <li key={item._id}>
          <Thumb item={item} href={view(item.conferenceId)} />
        </li>
      ))}
    </ul>
  );
}

function Thumb({ item, href }: { item: MediaItem; href: string }) {
  const t = useT();
  const [broken, setBroken] = useState(false);
  const kind = { PICTURE: t('media.picture'), VIDEO: t('media.video'), DOCUMENT: t('media.document') }[item.type];
  const name = item.label || item.originalFileName || item.filename;
  const label = [`${kind}: ${name}`, item.isNewMedia && t('media.new'), item.expired && t('conferences.filesExpired')];
  const pictured = item.thumbnail && !broken && !item.expired;
  return (
    <Link
      to={href}
      search={{ item: item._id } as never}
      className={classes.cell}
      aria-label={label.filter(Boolean).join(', ')}
    >
      {pictured ? (
        <img src={item.thumbnail ?? ''} alt="" loading="lazy" onError={() => setBroken(true)} />
      ) : (
        <span className={classes.none}>
          <Icon name={ICONS[item.type]} size={24} />
          <span>{item.expired ? t('conferences.filesExpired') : name}</span>
        </span>
      )}
      {item.type === 'VIDEO' && (
        <span className={classes.badge}>
          <Icon name="play" size={14} />
        </span>
      )}
      {item.isNewMedia && <span className={classes.fresh} />}
      {item.label && pictured && <span className={classes.label}>{item.label}</span>}
    </Link>
  );
}
