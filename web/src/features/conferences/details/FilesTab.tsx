import { Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { mediaQuery } from '@/shared/conference/api';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { MediaThumbs } from '@/shared/ui/MediaThumbs';
import { StateView } from '@/shared/ui/StateView';
import classes from './details.module.css';

/** The files of a conference. Looking at them tells the server that they are no longer new. */
export function FilesTab({ conferenceId }: { conferenceId: string }) {
  const t = useT();
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(mediaQuery(conferenceId));
  const seen = data !== undefined;
  useEffect(() => {
    if (seen) void queries.invalidateQueries({ queryKey: ['list_conferences'] });
  }, [seen, queries]);
  if (isPending) return <Skeleton h={180} />;
  if (!data) {
    return <LoadFailed title={t('media.loadError')} error={error} onRetry={() => void refetch()} />;
  }
  if (data.media.length === 0) return <StateView icon="img" title={t('media.empty')} />;
  return (
    <div className={classes.files}>
      <MediaThumbs media={data.media} view={paths.conferenceMedia} />
      <Button
        component={Link}
        to={paths.conferenceMedia(conferenceId)}
        variant="default"
        leftSection={<Icon name="img" size={16} />}
      >
        {t('conferences.openMedia')}
      </Button>
    </div>
  );
}
