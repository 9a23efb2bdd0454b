import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { errorText, type T, useT } from '@/shared/i18n';
import { type LinkState, linkState } from '@/shared/lib/activation-links';
import { paths } from '@/shared/routes/paths';
import { notice } from '@/shared/ui/dialogs';
import { Note } from '@/shared/ui/Note';
import { PublicFrame } from '@/shared/ui/PublicFrame';
import { StateView } from '@/shared/ui/StateView';
import { type Invitation, invitationOf, renewInvitation } from '../api';

interface LinkGateProps {
  token: string;
  /** Whether the invitation is one for this page and address (role and customer must equal the token's). */
  fits: (invitation: Invitation) => boolean;
  /** The page; `onDead` is called when the server no longer takes the link. */
  children: (invitation: Invitation, onDead: (error: unknown) => void) => ReactNode;
}

/** Looks at the link first; the page behind it stays hidden until the link is valid. */
export function LinkGate({ token, fits, children }: LinkGateProps) {
  const t = useT();
  const [dead, setDead] = useState<LinkState | null>(null);
  const { data, error, refetch } = useQuery(invitationOf(token));
  const state = dead ?? (error ? linkState(error) : data && !fits(data) ? 'invalid' : null);

  if (state === 'expired') return <Expired token={token} />;
  if (state === 'invalid' || state === 'used') return <Refused state={state} />;
  if (state === 'unreachable') {
    return (
      <PublicFrame title={t('activation.loadTitle')}>
        <StateView
          icon="warn"
          tone="bad"
          title={errorText(t, error)}
          action={{ label: t('common.retry'), icon: 'refresh', run: () => void refetch() }}
        />
      </PublicFrame>
    );
  }
  if (!data) {
    return (
      <PublicFrame title={t('activation.checking')}>
        <Skeleton h={180} />
      </PublicFrame>
    );
  }
  return children(data, (refused) => setDead(linkState(refused)));
}

const refusal = (t: T, state: 'invalid' | 'used') =>
  state === 'used'
    ? { title: t('activation.usedTitle'), text: t('activation.usedText') }
    : { title: t('activation.invalidTitle'), text: t('activation.invalidText') };

/** An alert, then the root. */
function Refused({ state }: { state: 'invalid' | 'used' }) {
  const t = useT();
  const navigate = useNavigate();
  const told = useRef(false);
  useEffect(() => {
    if (told.current) return;
    told.current = true;
    void notice({ tone: 'bad', ...refusal(t, state) }).then(() => navigate({ href: paths.root(), replace: true }));
  }, [t, state, navigate]);
  return <PublicFrame title={refusal(t, state).title}>{null}</PublicFrame>;
}

function Expired({ token }: { token: string }) {
  const t = useT();
  const renewing = useMutation({ mutationFn: () => renewInvitation(token) });
  if (renewing.isSuccess) {
    return (
      <PublicFrame title={t('activation.renewedTitle')}>
        <Note tone="ok" icon="check" text={t('activation.renewedText')} />
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={t('activation.expiredTitle')} subtitle={t('activation.expiredText')}>
      {renewing.error && (
        <Note tone="bad" icon="warn" title={t('common.unexpected')} text={errorText(t, renewing.error)} />
      )}
      <Button size="md" fullWidth mt={16} loading={renewing.isPending} onClick={() => renewing.mutate()}>
        {t('activation.renew')}
      </Button>
    </PublicFrame>
  );
}
