import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '@/api/errors';
import { errorText, type T, useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { toast } from '@/shared/ui/toast';
import { refuseRequest, requestsTo, respond } from '../api';
import type { VideoCallRequest } from '../model';

/** Who took a request before one, as the loser's answer says it. */
export function takenText(t: T, error: ApiError): string {
  const name = error.errors.find(({ field }) => field === 'acceptedBy')?.message;
  return name ? t('videocallrequests.taken', { name }) : t('videocallrequests.takenNobody');
}

/** Tells kindly why a claim came to nothing. */
function tellLoss(t: T, error: unknown): void {
  const code = error instanceof ApiError ? error.code : '';
  if (error instanceof ApiError && code === 'ALREADY_TAKEN')
    toast.info({ title: takenText(t, error), text: t('videocallrequests.takenText') });
  else if (code === 'REQUEST_CLOSED')
    toast.info({ title: t('videocallrequests.closed'), text: t('videocallrequests.closedText') });
  else toast.error({ title: t('videocallrequests.attendFailed'), text: errorText(t, error) });
}

/** Answering and refusing the requests of a customer. */
export function useQueueActions(customerId: string) {
  const t = useT();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { queryKey } = requestsTo(customerId);
  const drop = (id: string) =>
    queries.setQueryData(queryKey, (known: VideoCallRequest[] | undefined) => known?.filter((one) => one._id !== id));
  const again = () => {
    void queries.invalidateQueries({ queryKey: ['list_video_call_requests'] });
    // The shell's count.
    void queries.invalidateQueries({ queryKey: ['videoCallNumber', customerId] });
  };

  const claim = useMutation({
    mutationFn: respond,
    onSuccess: ({ conference }, id) => {
      drop(id);
      again();
      return navigate({ href: paths.conference(conference._id) });
    },
    onError: (error, id) => {
      tellLoss(t, error);
      if (error instanceof ApiError && ['ALREADY_TAKEN', 'REQUEST_CLOSED'].includes(error.code)) drop(id);
      again();
    },
  });

  const refusal = useMutation({
    mutationFn: refuseRequest,
    onSuccess: (_answer, { videoCallRequestId }) => {
      drop(videoCallRequestId);
      toast.ok({ title: t('videocallrequests.refused') });
      again();
    },
    onError: (error) => {
      toast.error({ title: t('videocallrequests.refuseFailed'), text: errorText(t, error) });
      again();
    },
  });

  return {
    attend: (request: VideoCallRequest) => claim.mutate(request._id),
    /** The request that is being claimed. */
    attending: claim.isPending ? claim.variables : null,
    refuse: refusal.mutateAsync,
    refusing: refusal.isPending,
  };
}
