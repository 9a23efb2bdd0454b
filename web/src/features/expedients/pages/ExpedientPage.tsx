import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiError } from '@/api/errors';
import type { FileRequest } from '@/api/types';
import { getExpedient } from '@/shared/conference/api';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { Role, roleOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { type Session, useRequiredSession } from '@/shared/session';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { MediaThumbs } from '@/shared/ui/MediaThumbs';
import { StateView } from '@/shared/ui/StateView';
import { Calls } from '../components/Calls';
import { CaseActions } from '../components/CaseActions';
import classes from '../components/expedient.module.css';
import { Facts } from '../components/Facts';
import { JumpTo } from '../components/JumpTo';
import { Notes } from '../components/Notes';
import { Requests } from '../components/Requests';
import { Section } from '../components/Section';

/** In which words things were asked for, by their id. */
const askedNames = (requests: readonly FileRequest[]) =>
  Object.fromEntries(requests.flatMap(({ items }) => items.map(({ _id, label }) => [_id, label])));

/** Whose lists: the administrator's are everybody's. */
const parentOf = (session: Session) => (roleOf(session) === Role.administrator ? '0' : session.user.parent);

/** `/expedient/{expedientNumber}`: everything of one case on one page. */
export function ExpedientPage() {
  const t = useT();
  const { expedientNumber = '' } = useParams({ strict: false }) as { expedientNumber?: string };
  const session = useRequiredSession();
  const { data } = useQuery(getExpedient(expedientNumber));
  const types = new Set(data?.conferences.map((row) => row.type));
  // Cases of one type belong to its list.
  const list = types.has(2) ? paths.conferencesDiversos : paths.conferencesAutos;
  usePage({
    title: `${t('expedients.title')} ${expedientNumber}`,
    section: types.size === 1 ? list(parentOf(session)) : undefined,
  });
  return (
    <div className={classes.root}>
      <div className={classes.title}>
        <h1>
          {t('expedients.title')} <span className="num">{expedientNumber}</span>
        </h1>
        <JumpTo />
      </div>
      <Body key={expedientNumber} expedientNumber={expedientNumber} />
    </div>
  );
}

function Body({ expedientNumber }: { expedientNumber: string }) {
  const t = useT();
  const session = useRequiredSession();
  const role = roleOf(session);
  const { data, error, refetch } = useQuery(getExpedient(expedientNumber));
  if (error && !data) {
    if (error instanceof ApiError && error.status === 404) return <Unknown text={errorText(t, error)} />;
    return <LoadFailed title={t('expedients.failed')} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Waiting />;
  const parent = parentOf(session);
  return (
    <>
      <Facts conferences={data.conferences} />
      <CaseActions conferences={data.conferences} media={data.media} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Calls conferences={data.conferences} parent={parent} />
          <Section title={t('expedients.media')} count={data.media.length}>
            {data.media.length > 0 ? (
              <MediaThumbs media={data.media} view={paths.conferenceMedia} asked={askedNames(data.requests)} />
            ) : (
              <StateView icon="img" title={t('expedients.noMedia')} />
            )}
          </Section>
        </div>
        <div className={classes.column}>
          <Requests requests={data.requests} />
          <Notes expedientNumber={expedientNumber} notes={data.notes} mayDeleteAll={role === Role.customer} />
        </div>
      </div>
    </>
  );
}

/** Another try would not find it either: the lists do. */
function Unknown({ text }: { text: string }) {
  const t = useT();
  const parent = parentOf(useRequiredSession());
  return (
    <div className={classes.unknown}>
      <StateView icon="warn" tone="bad" title={t('expedients.failed')} text={text} />
      <div className={classes.lists}>
        <Button component={Link} to={paths.conferencesAutos(parent)} variant="default">
          {t('conferences.titleAutos')}
        </Button>
        <Button component={Link} to={paths.conferencesDiversos(parent)} variant="default">
          {t('conferences.titleDiversos')}
        </Button>
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <div aria-hidden="true">
      <Skeleton h={64} />
      <Skeleton h={220} mt={24} />
    </div>
  );
}
