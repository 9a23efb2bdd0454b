import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { paths } from '@/app/paths';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { mediaQuery } from '../api';
import { ConferenceMediaView } from '../components/ConferenceMediaView';

/** Route `/conference-media/{conferenceId}` (SPEC §2, DESIGN §10). */
export function ConferenceMediaPage() {
  const t = useT();
  const { conferenceId } = useParams({ strict: false }) as { conferenceId: string };
  const { data } = useQuery(mediaQuery(conferenceId));
  const expedient = data?.conference.expedientNumber;
  const open = data !== undefined && !data.conference.closed;
  usePage({
    title: expedient ? `${expedient} · ${t('media.title')}` : t('media.title'),
    crumb: open
      ? { label: t('call.title'), href: paths.conference(conferenceId) }
      : { label: t('videocall.formTitle'), href: paths.newVideocall() },
  });
  return <ConferenceMediaView key={conferenceId} conferenceId={conferenceId} />;
}
