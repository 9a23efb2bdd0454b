import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { useSocketState } from '@/shared/socket';
import { confirm } from '@/shared/ui/dialogs';
import { toast } from '@/shared/ui/toast';
import { agreeCallback, ownRequests, withdrawRequest } from '../api';
import { useDone } from '../done';
import { shownOf, type VideoCallRequest } from '../model';
import { useRequestEvents } from './use-live';
import { useNow } from './use-now';

/** A place in the queue moves without an event of one's own. */
const WAITING_MS = 8_000;
const IDLE_MS = 30_000;

/** What became of the starter's requests, kept fresh by events and, between them, by asking. */
export function useOwnRequests() {
  const { user } = useRequiredSession();
  const socket = useSocketState();
  const done = useDone();
  const now = useNow();
  useRequestEvents(user.parent);
  const source = useQuery({
    ...ownRequests(),
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.state === 'waiting' || one.state === 'scheduled') ? WAITING_MS : IDLE_MS,
    // A phone that was locked missed events and timers alike.
    refetchOnWindowFocus: 'always',
  });
  const shown = shownOf(source.data ?? [], user._id, done, now);
  // The moment nobody may answer any more, the server is asked what became of it.
  const ended = shown.kind === 'waiting' && new Date(shown.request.expiresAt).getTime() <= now;
  const { refetch } = source;
  const asked = useRef(false);
  useEffect(() => {
    if (ended && !asked.current) void refetch();
    asked.current = ended;
  }, [ended, refetch]);
  return { source, shown, socket, now };
}

/** What the starter may do with an open request. */
export function useOwnActions(request: VideoCallRequest) {
  const t = useT();
  const queries = useQueryClient();
  const again = () => queries.invalidateQueries({ queryKey: ['list_video_call_requests'] });
  const scheduled = request.state === 'scheduled';
  const customer = request.customerName;
  const withdrawal = useMutation({
    mutationFn: () => withdrawRequest(request.starterId, request._id),
    onSuccess: () => {
      toast.ok({ title: scheduled ? t('videocallrequests.callbackCancelled') : t('videocallrequests.withdrawn') });
      return again();
    },
    onError: (error) => {
      toast.error({ title: t('videocallrequests.withdrawFailed'), text: errorText(t, error) });
      return again();
    },
  });
  const agreement = useMutation({
    mutationFn: (at: string) => agreeCallback(request._id, at),
    onSuccess: () => {
      toast.ok({ title: t('videocallrequests.callbackDone') });
      return again();
    },
    onError: (error) => {
      toast.error({ title: t('videocallrequests.callbackFailed'), text: errorText(t, error) });
      return again();
    },
  });
  const withdraw = async () => {
    const sure = await confirm({
      title: scheduled ? t('videocallrequests.cancelCallbackTitle') : t('videocallrequests.withdrawTitle'),
      text: scheduled
        ? t('videocallrequests.cancelCallbackText', { customer })
        : t('videocallrequests.withdrawText', { customer }),
      confirm: scheduled ? t('videocallrequests.cancelCallback') : t('videocallrequests.withdraw'),
      cancel: scheduled ? t('videocallrequests.cancelCallbackNo') : t('videocallrequests.withdrawNo'),
      danger: true,
    });
    if (sure) withdrawal.mutate();
  };
  return { withdraw, withdrawing: withdrawal.isPending, agree: agreement.mutateAsync, agreeing: agreement.isPending };
}
