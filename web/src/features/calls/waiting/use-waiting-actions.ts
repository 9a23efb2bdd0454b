import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { toast } from '@/shared/ui/toast';
import { closeConference, dictateCode, resendLink } from '../api';
import type { LinkChannel } from '../model';

export interface WaitingActions {
  /** True while a message is being handed over. */
  sending: boolean;
  /** Answers whether it was taken; tells the person either way. */
  resend: (channel: LinkChannel, to?: string) => Promise<boolean>;
  dictate: () => Promise<{ code: string; expiresAt: string }>;
  cancel: () => Promise<void>;
  openNew: () => void;
}

/** The calls behind the ways out of the waiting panel. */
export function useWaitingActions(conferenceId: string): WaitingActions {
  const t = useT();
  const navigate = useNavigate();
  const [sending, setSending] = useState(false);

  const resend = async (channel: LinkChannel, to?: string) => {
    setSending(true);
    try {
      const { message } = await resendLink(conferenceId, channel, to);
      toast.ok({ title: t('videocall.w_resent'), text: t('videocall.w_resentTo', { to: message.to }) });
      return true;
    } catch (error) {
      toast.error({ title: t('videocall.w_resendError'), text: errorText(t, error) });
      return false;
    } finally {
      setSending(false);
    }
  };

  const openNew = () => void navigate({ href: paths.newVideocall() });

  const cancel = async () => {
    try {
      await closeConference(conferenceId);
      openNew();
    } catch (error) {
      toast.error({ title: t('common.unexpected'), text: errorText(t, error) });
    }
  };

  return { sending, resend, dictate: () => dictateCode(conferenceId), cancel, openNew };
}
