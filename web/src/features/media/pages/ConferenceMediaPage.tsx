import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { mediaQuery } from '@/shared/conference/api';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { ConferenceMediaView } from '../components/ConferenceMediaView';
import { useReadsOnly } from '../hooks/use-reads-only';

/** Route `/conference-media/{conferenceId}`. */
export function ConferenceMediaPage() {
  const t = useT();
  const { conferenceId } = useParams({ strict: false }) as { conferenceId: string };
  // A link to one file: `?item={mediaId}`.
  const { item } = useSearch({ strict: false }) as { item?: string };
  const { user } = useRequiredSession();
  const readsOnly = useReadsOnly();
  const { data } = useQuery(mediaQuery(conferenceId));
  const expedient = data?.conference.expedientNumber;
  // The administrator's list is everybody's.
  const parent = user.role === 1 ? '0' : user.parent;
  const list =
    data?.conference.type === 2
      ? { label: `${t('shell.conferences')} / ${t('shell.diversos')}`, href: paths.conferencesDiversos(parent) }
      : { label: `${t('shell.conferences')} / ${t('shell.autos')}`, href: paths.conferencesAutos(parent) };
  const open = data !== undefined && !data.conference.closed && !readsOnly;
  usePage({
    title: expedient ? `${expedient} · ${t('media.title')}` : t('media.title'),
    section: data && list.href,
    crumb: open ? { label: t('call.title'), href: paths.conference(conferenceId) } : list,
  });
  return <ConferenceMediaView key={conferenceId} conferenceId={conferenceId} first={item ?? null} />;
}
