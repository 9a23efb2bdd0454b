import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MediaItem } from '@/api/types';
import { resendLink } from '@/features/conferences/api';
import { type ConferenceMedia, mediaQuery } from '@/features/media/api';
import { errorText, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { toast } from '@/shared/ui/toast';
import {
  chatQuery,
  muteParticipant,
  type RecordingAction,
  record,
  removeParticipant,
  sendChat,
  uploadDocument,
} from '../api';
import { mergeById } from '../model';

/** What the server does for the call: recording, chat, documents, people, the link. Failures become toasts. */
export function useCaseActions(conferenceId: string, link: string) {
  const t = useT();
  const queries = useQueryClient();
  const failed = (title: string, retry?: () => void) => (error: unknown) =>
    toast.error({
      title,
      text: errorText(t, error),
      action: retry && { label: t('common.retry'), run: retry },
    });

  const recording = useMutation({
    mutationFn: (action: RecordingAction) => record(conferenceId, action),
    onError: (error, action) => failed(t('call.recFailed'), () => recording.mutate(action))(error),
  });
  const chat = useMutation({
    mutationFn: (text: string) => sendChat(conferenceId, text),
    onSuccess: (message) =>
      queries.setQueryData(chatQuery(conferenceId).queryKey, (before) => mergeById(before ?? [], message)),
    onError: failed(t('call.chatFailed')),
  });
  const upload = useMutation({
    mutationFn: async (files: File[]) => {
      const added: MediaItem[] = [];
      for (const file of files) added.push(await uploadDocument(conferenceId, file));
      return added;
    },
    onSuccess: (added) => {
      queries.setQueryData(mediaQuery(conferenceId).queryKey, (before: ConferenceMedia | undefined) =>
        before ? { ...before, media: added.reduce(mergeById, before.media) } : before,
      );
      toast.ok({ title: t('call.documentAdded', { count: added.length }) });
    },
    onError: failed(t('call.documentFailed')),
  });
  const mute = useMutation({
    mutationFn: ({ identity, trackSid }: { identity: string; trackSid: string }) =>
      muteParticipant(conferenceId, identity, trackSid, true),
    onError: failed(t('call.muteFailed')),
  });
  const remove = useMutation({
    mutationFn: (identity: string) => removeParticipant(conferenceId, identity),
    onError: failed(t('call.removeFailed')),
  });
  const resend = useMutation({
    mutationFn: () => resendLink(conferenceId, 'sms'),
    onSuccess: () => toast.ok({ title: t('call.resent') }),
    onError: failed(t('call.resendFailed')),
  });
  return {
    recording,
    upload,
    resend,
    mute,
    remove,
    copyLink: () => copyText(link),
    chatSending: chat.isPending,
    sendChat: (text: string) =>
      chat.mutateAsync(text).then(
        () => true,
        () => false,
      ),
  };
}
