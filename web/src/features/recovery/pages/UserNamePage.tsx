import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { errorText, useT } from '@/shared/i18n';
import { isDeadLink } from '@/shared/lib/activation-links';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { Note } from '@/shared/ui/Note';
import { PublicFrame } from '@/shared/ui/PublicFrame';
import { confirmUserName } from '../api';
import classes from './recovery.module.css';

/** `/user-name/{token}`: the old or the new mailbox confirms another log-in name. A press does it, never the visit. */
export function UserNamePage() {
  const t = useT();
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  const title = t('recovery.nameTitle');
  usePage({ title });
  const confirming = useMutation({ mutationFn: () => confirmUserName(token) });
  const { data, error } = confirming;
  const dead = error !== null && isDeadLink(error);
  return (
    <PublicFrame title={title} subtitle={data ? undefined : t('recovery.nameSubtitle')}>
      <div className={classes.form}>
        {data?.done && (
          <Note
            tone="ok"
            icon="check"
            title={t('recovery.nameDone')}
            text={t('recovery.nameDoneText', { name: data.userName })}
          />
        )}
        {data && !data.done && <Note icon="mail" title={t('recovery.nameHalf')} text={t('recovery.nameHalfText')} />}
        {error && (
          <Note
            tone="bad"
            icon="warn"
            title={dead ? t('recovery.expiredTitle') : t('recovery.nameFailed')}
            text={dead ? t('recovery.nameExpired') : errorText(t, error)}
          />
        )}
        {data || dead ? (
          <Button component={Link} to={paths.login()} size="md" fullWidth variant="default">
            {t('recovery.back')}
          </Button>
        ) : (
          <Button size="md" fullWidth loading={confirming.isPending} onClick={() => confirming.mutate()}>
            {t('recovery.nameConfirm')}
          </Button>
        )}
      </div>
    </PublicFrame>
  );
}
