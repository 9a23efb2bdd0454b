import { useQuery } from '@tanstack/react-query';
import { glanceQuery } from '@/shared/conference/api';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { MediaThumbs } from '@/shared/ui/MediaThumbs';
import classes from './details.module.css';

/** Two lines of four: the rest is a tab away. */
const SHOWN = 8;

/** The pictures of a conference before anything else that is known of it; nothing while there are none. They stay new. */
export function Pictures({ conferenceId }: { conferenceId: string }) {
  const t = useT();
  const { data } = useQuery(glanceQuery(conferenceId));
  const pictures = (data?.media ?? []).filter(({ type, expired }) => type === 'PICTURE' && !expired);
  if (pictures.length === 0) return null;
  return (
    <section className={classes.pictures} aria-label={t('conferences.pictures')}>
      <MediaThumbs media={pictures.slice(0, SHOWN)} view={paths.conferenceMedia} />
    </section>
  );
}
