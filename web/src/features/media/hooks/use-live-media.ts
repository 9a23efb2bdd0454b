import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { send } from '@/api/client';
import { drawingsQuery, measuresQuery, mediaQuery } from '@/shared/conference/api';
import { followEvents } from '@/shared/lib/event-stream';
import { askedNamesQuery, certificatesQuery } from '../api';

/** Loads the files again when one arrives or its request moves on (`media` and `files` of `conference-events`); `null` listens to nothing. */
export function useLiveMedia(conferenceId: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (conferenceId === null) return undefined;
    const path = `/api/v1/conference-events/${encodeURIComponent(conferenceId)}`;
    let snapshots = 0;
    return followEvents({
      open: (signal) => send('GET', path, { headers: { Accept: 'text/event-stream' }, signal }),
      onEvent: ({ event }) => {
        if (event === 'snapshot') snapshots += 1;
        if (event === 'drawing') void client.invalidateQueries({ queryKey: drawingsQuery(conferenceId).queryKey });
        if (event === 'measure') void client.invalidateQueries({ queryKey: measuresQuery(conferenceId).queryKey });
        // A second snapshot means that something may have been missed.
        const news = event === 'media' || event === 'files' || (event === 'snapshot' && snapshots > 1);
        if (!news) return;
        void client.invalidateQueries({ queryKey: mediaQuery(conferenceId).queryKey });
        void client.invalidateQueries({ queryKey: certificatesQuery(conferenceId).queryKey });
        void client.invalidateQueries({ queryKey: askedNamesQuery(conferenceId).queryKey });
      },
    });
  }, [client, conferenceId]);
}
