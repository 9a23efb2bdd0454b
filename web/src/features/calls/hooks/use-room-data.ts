import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import type { ChatMessage, MediaItem } from '@/api/types';
import {
  conferenceShots,
  drawingsQuery,
  measuresQuery,
  mediaQuery,
  withDrawing,
  withMeasures,
} from '@/shared/conference/api';
import { chatQuery } from '../api';
import { type FeedEvent, useConferenceEvents } from '../feed/events';
import { inOrder, mergeById } from '../model';
import { withTicks } from '../shots';

/** The live conference with all its media and chat: what was there before and what arrives, each once. */
export function useRoomData(conferenceId: string) {
  const client = useQueryClient();
  const snapshots = useRef(0);
  const onEvent = useCallback(
    ({ event, data }: FeedEvent) => {
      const { queryKey } = conferenceShots(conferenceId);
      if (event === 'shots') {
        const known = client.getQueryData(queryKey);
        const merged = known && withTicks(known, data.shots);
        if (merged) client.setQueryData(queryKey, merged);
        else void client.invalidateQueries({ queryKey });
        return;
      }
      const drawings = drawingsQuery(conferenceId).queryKey;
      if (event === 'frozen' || event === 'drawing') {
        const known = client.getQueryData(drawings);
        // An answer that is under way may be older than this.
        if (!known) void client.invalidateQueries({ queryKey: drawings });
        else if (event === 'frozen') client.setQueryData(drawings, { ...known, frozen: data.frozen });
        else client.setQueryData(drawings, withDrawing(known, data.drawing));
        return;
      }
      const measures = measuresQuery(conferenceId).queryKey;
      if (event === 'measure') {
        const known = client.getQueryData(measures);
        if (known) client.setQueryData(measures, withMeasures(known, data.measure));
        else void client.invalidateQueries({ queryKey: measures });
        return;
      }
      if (event !== 'snapshot') return;
      snapshots.current += 1;
      // A second snapshot means the stream was cut: files and messages may have come meanwhile.
      if (snapshots.current < 2) return;
      void client.invalidateQueries({ queryKey: mediaQuery(conferenceId).queryKey });
      void client.invalidateQueries({ queryKey });
      void client.invalidateQueries({ queryKey: drawings });
      void client.invalidateQueries({ queryKey: measures });
      void client.invalidateQueries({ queryKey: chatQuery(conferenceId).queryKey });
    },
    [client, conferenceId],
  );
  const feed = useConferenceEvents(conferenceId, onEvent);
  const known = feed.details !== null;
  const earlierMedia = useQuery({ ...mediaQuery(conferenceId), enabled: known });
  const earlierChat = useQuery({ ...chatQuery(conferenceId), enabled: known });
  const media = useMemo<MediaItem[]>(
    () => inOrder(feed.media.reduce(mergeById, earlierMedia.data?.media ?? [])),
    [feed.media, earlierMedia.data],
  );
  const chat = useMemo<ChatMessage[]>(() => {
    const all = feed.chat.reduce(mergeById, earlierChat.data ?? []);
    return [...all].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  }, [feed.chat, earlierChat.data]);
  return { feed, media, chat };
}
