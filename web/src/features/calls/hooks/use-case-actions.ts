import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MediaItem } from '@/api/types';
import { type ConferenceMedia, mediaQuery } from '@/shared/conference/api';
import { errorText, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { toast } from '@/shared/ui/toast';
import {
  admitDevice,
  chatQuery,
  muteParticipant,
  type RecordingAction,
  record,
  removeParticipant,
  resendLink,
  sendChat,
  uploadDocument,
  type Words,
} from '../api';
import type { Decision } from '../components/DoorNotice';
import { type LinkChannel, mergeById } from '../model';

/** What the server does for the call: recording, chat, documents, people, the link. Failures become toasts. */
export function useCaseActions(conferenceId: string, link: string, channel: LinkChannel) {
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
    mutationFn: (words: Words) => sendChat(conferenceId, words),
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
  const admit = useMutation({
    mutationFn: ({ identity, decision }: { identity: string; decision: Decision }) =>
      admitDevice(conferenceId, identity, decision),
    onError: failed(t('call.doorFailed')),
  });
  const resend = useMutation({
    mutationFn: () => resendLink(conferenceId, channel),
    onSuccess: () => toast.ok({ title: t('call.resent') }),
    onError: failed(t('call.resendFailed')),
  });
  return {
    recording,
    upload,
    resend,
    mute,
    remove,
    admit,
    copyLink: () => copyText(link),
    chatSending: chat.isPending,
    sendChat: (words: Words) =>
      chat.mutateAsync(words).then(
        () => true,
        () => false,
      ),
  };
}
