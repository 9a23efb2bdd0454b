import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { send } from '@/api/client';
import { followEvents } from '@/shared/lib/event-stream';
import { certificatesQuery, mediaQuery } from '../api';

/** Loads the files again when one arrives or its request moves on (`media` and `files` of `conference-events`). */
export function useLiveMedia(conferenceId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const path = `/api/v1/conference-events/${encodeURIComponent(conferenceId)}`;
    return followEvents({
      open: (signal) => send('GET', path, { headers: { Accept: 'text/event-stream' }, signal }),
      onEvent: ({ event }) => {
        if (event !== 'media' && event !== 'files') return;
        void client.invalidateQueries({ queryKey: mediaQuery(conferenceId).queryKey });
        void client.invalidateQueries({ queryKey: certificatesQuery(conferenceId).queryKey });
      },
    });
  }, [client, conferenceId]);
}
