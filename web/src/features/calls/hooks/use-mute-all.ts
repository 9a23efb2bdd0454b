import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ApiError } from '@/api/errors';
import type { People } from '@/rtc';
import { errorText, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { muteParticipant } from '../api';
import { keepsKeys } from '../keyboard';
import { audible } from '../people';

/** Everybody else falls silent, by a press or by `S`. Whoever has left meanwhile is no failure. */
export function useMuteAll(conferenceId: string, people: People) {
  const t = useT();
  const heard = useMemo(() => audible(people), [people]);
  const { mutate, isPending } = useMutation({
    mutationFn: async (whom: ReturnType<typeof audible>) => {
      const answers = await Promise.allSettled(
        whom.map(({ identity, trackSid }) => muteParticipant(conferenceId, identity, trackSid, true)),
      );
      const failed = answers.find((one) => one.status === 'rejected' && !isGone(one.reason));
      if (failed?.status === 'rejected') throw failed.reason;
    },
    onSuccess: () => toast.ok({ title: t('call.mutedAll') }),
    onError: (error) => toast.error({ title: t('call.muteFailed'), text: errorText(t, error) }),
  });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || event.repeat || event.defaultPrevented) return;
      if (event.ctrlKey || event.altKey || event.metaKey || keepsKeys(event)) return;
      if (heard.length === 0 || isPending) return;
      event.preventDefault();
      mutate(heard);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [heard, isPending, mutate]);

  return { possible: heard.length > 0, busy: isPending, run: () => mutate(heard) };
}

const isGone = (error: unknown) => error instanceof ApiError && error.code === 'PARTICIPANT_NOT_FOUND';
