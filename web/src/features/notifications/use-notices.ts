import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { t } from '@/shared/i18n';
import { notice as dialog } from '@/shared/ui/dialogs';
import { toast } from '@/shared/ui/toast';
import { countNotices, markAllNotices, markNotice } from './api';
import { keyOf, type Notice } from './model';
import { type NoticesState, reduce, START } from './state';

export interface Notices {
  state: NoticesState;
  /** What the panel loaded. */
  loaded: (items: readonly Notice[]) => void;
  closed: () => void;
  arrived: () => void;
  /** Asks the server for the number again. */
  recount: () => void;
  mark: (notice: Notice, readed: boolean) => Promise<void>;
  markAll: () => Promise<void>;
}

/** Count and read state of the bell and its panel, shown at once and taken back when the server refuses. */
export function useNotices(userId: string): Notices {
  const [state, dispatch] = useReducer(reduce, START);
  const queries = useQueryClient();
  // A failure of the count is only logged; the next connection counts again.
  const { data, dataUpdatedAt, error } = useQuery(countNotices);
  useEffect(() => {
    if (data !== undefined && dataUpdatedAt) dispatch({ type: 'counted', count: data });
  }, [data, dataUpdatedAt]);
  useEffect(() => {
    if (error) console.warn('the notifications could not be counted', error);
  }, [error]);

  const recount = useCallback(() => void queries.invalidateQueries({ queryKey: countNotices.queryKey }), [queries]);
  const tellTabs = useOtherTabs(`atalaya-notices-${userId}`, recount);
  const { pending } = state;
  const mark = useCallback(
    async (notice: Notice, readed: boolean) => {
      if (keyOf(notice) in pending) return;
      dispatch({ type: 'marking', notice, readed });
      try {
        await markNotice(notice, readed);
        dispatch({ type: 'marked', notice });
        tellTabs();
      } catch {
        dispatch({ type: 'refused', notice });
        toast.error({ title: t('notifications.markFailed'), text: t('common.tryAgain') });
      }
    },
    [pending, tellTabs],
  );
  const markAll = useCallback(async () => {
    dispatch({ type: 'markingAll' });
    try {
      await markAllNotices();
      dispatch({ type: 'markedAll' });
      tellTabs();
    } catch {
      dispatch({ type: 'allRefused' });
      await dialog({ title: t('common.unexpected'), text: t('notifications.markAllFailed'), tone: 'bad' });
    }
  }, [tellTabs]);
  const told = useMemo(
    () => ({
      loaded: (items: readonly Notice[]) => dispatch({ type: 'loaded', items }),
      closed: () => dispatch({ type: 'closed' }),
      arrived: () => {
        dispatch({ type: 'arrived' });
        // A count under way may have been made before it came.
        if (queries.isFetching(countNotices)) recount();
      },
    }),
    [queries, recount],
  );
  return { state, mark, markAll, recount, ...told };
}

/** What one tab reads is read in all: answers how to tell the others, which then call `onTold`. */
function useOtherTabs(name: string, onTold: () => void): () => void {
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    const tabs = new BroadcastChannel(name);
    tabs.onmessage = onTold;
    channel.current = tabs;
    return () => {
      tabs.close();
      channel.current = null;
    };
  }, [name, onTold]);
  return useCallback(() => channel.current?.postMessage('read'), []);
}
