import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MediaItem } from '@/api/types';
import { useT } from '@/shared/i18n';
import { galleryOrder, itemTitle, type Names, named, type ShownItem } from '@/shared/lib/media-names';
import { Icon, type IconName } from './Icon';
import classes from './MediaThumbs.module.css';

const ICONS: Record<MediaItem['type'], IconName> = { PICTURE: 'img', VIDEO: 'video', DOCUMENT: 'doc' };

interface MediaThumbsProps {
  media: readonly MediaItem[];
  /** Address of the media view of a conference. */
  view: (conferenceId: string) => string;
  /** In which words things were asked for, by their id. */
  asked?: Names;
}

/** Files as small pictures; each leads to the media view of its conference, opened at that file. */
export function MediaThumbs({ media, view, asked = {} }: MediaThumbsProps) {
  const t = useT();
  const shown = named(media, {}, asked);
  // Unnamed ones are numbered within their conference, as its own view does.
  const title = (item: ShownItem) =>
    itemTitle(t, item, galleryOrder(media.filter(({ conferenceId }) => conferenceId === item.conferenceId)));
  return (
    <ul className={classes.grid}>
      {shown.map((item) => (
        <li key={item._id}>
          <Thumb item={item} name={title(item)} href={view(item.conferenceId)} />
        </li>
      ))}
    </ul>
  );
}

function Thumb({ item, name, href }: { item: ShownItem; name: string; href: string }) {
  const t = useT();
  const [broken, setBroken] = useState(false);
  const kind = { PICTURE: t('media.picture'), VIDEO: t('media.video'), DOCUMENT: t('media.document') }[item.type];
  const own = item.label || item.shotLabel;
  const label = [
    own || item.type === 'DOCUMENT' ? `${kind}: ${name}` : name,
    item.isNewMedia && t('media.new'),
    item.expired && t('conferences.filesExpired'),
  ];
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
      {own && pictured && <span className={classes.label}>{own}</span>}
    </Link>
  );
}
