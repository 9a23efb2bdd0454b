import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText, type T, useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { toast } from '@/shared/ui/toast';
import { listPushDevices } from '../api';
import { deviceState, PushRefused, turnOff, turnOn } from '../push';

const stateOf = (userId: string) => ({
  queryKey: ['push-state', userId],
  queryFn: () => deviceState(userId),
  staleTime: 0,
});

/** Why it could not be turned on; what was denied is said in the page, with the way back. */
function reason(t: T, error: Error): string {
  if (!(error instanceof PushRefused)) return errorText(t, error);
  return error.reason === 'unreachable' ? t('push.unreachable') : t('push.dismissed');
}

/** How notices stand in this browser, and both ways to change it. */
export function useDevice() {
  const t = useT();
  const { user } = useRequiredSession();
  const queries = useQueryClient();
  const state = useQuery(stateOf(user._id));
  const onSettled = () =>
    Promise.all([queries.invalidateQueries(stateOf(user._id)), queries.invalidateQueries(listPushDevices(user._id))]);
  const on = useMutation({
    mutationFn: () => turnOn(user),
    onSuccess: () => toast.ok({ title: t('push.turnedOn') }),
    onError: (error: Error) => {
      if (error instanceof PushRefused && error.reason === 'denied') return;
      toast.error({ title: t('push.onFailed'), text: reason(t, error) });
    },
    onSettled,
  });
  const off = useMutation({
    mutationFn: () => turnOff(user._id),
    onSuccess: () => toast.info({ title: t('push.turnedOff') }),
    onError: (error: Error) => toast.error({ title: t('push.offFailed'), text: errorText(t, error) }),
    onSettled,
  });
  return { state: state.data, on, off };
}
